// SPDX-License-Identifier: GPL-2.0-only
/* module/filter_table.h is what the generator beside this program prints, byte for byte. */
#include <libgen.h>
#include <string.h>

#include "tap.h"

static size_t slurp(FILE *from, char *buf, size_t size)
{
	return from ? fread(buf, 1, size, from) : 0;
}

int main(int argc, char **argv)
{
	static char made[1 << 16], kept[1 << 16];
	char cmd[4096];
	FILE *gen, *file;
	size_t n, m;

	tap_plan(1);
	snprintf(cmd, sizeof(cmd), "'%s/build/gen_filter_table'", dirname(argv[0]));
	gen = popen(cmd, "r");
	file = fopen(argc > 1 ? argv[1] : FILTER_TABLE, "r");
	n = slurp(gen, made, sizeof(made));
	m = slurp(file, kept, sizeof(kept));
	if (!n || !m)
		tap_complain("cannot read %s", n ? "the table" : "from the generator");
	else if (n != m || memcmp(made, kept, n))
		tap_complain("the table differs from what gen_filter_table prints");
	if (!gen || pclose(gen))
		tap_complain("the generator failed");
	if (file)
		fclose(file);
	tap_end("the table is the generator's");
	return tap_exit();
}
