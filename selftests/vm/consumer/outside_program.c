// SPDX-License-Identifier: GPL-2.0-only
/* An outside program that speaks the interface. */
#include <stdio.h>
#include <linux/pwrctl.h>

int main(void)
{
	return printf("%s %d\n", PWRCTL_GENL_NAME, PWRCTL_API_VERSION) < 0;
}
