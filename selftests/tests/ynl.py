# SPDX-License-Identifier: GPL-2.0-only
"""Every command and event of the family "pwrctl" by its name in the YNL specification.

ynl.py YNL-FOLDER SPECIFICATION
"""

import os
import sys

sys.path.append(sys.argv[1])
from pyynl.lib import NlError, YnlFamily  # noqa: E402  pylint: disable=all

SPEC = sys.argv[2]
# an event comes or it does not: nothing is measured by this limit, in seconds
PATIENCE = 300


def refused(call, *args):
    """The words and errno of the kernel's refusal, or None."""
    try:
        call(*args)
    except NlError as error:
        return error.nl_msg.extack.get("msg"), error.nl_msg.error
    return None


def settings_get(ynl):
    answer = ynl.do("settings-get", {})
    assert answer["api-version"] == 1
    settings = answer["settings"]
    assert settings["mode"] == "decay"
    assert settings["decay-ms"] == 250
    assert set(settings["count"]) == {"thermal", "hw", "other", "injected"}
    assert settings["outlet"] == "auto"
    assert not settings["own"]
    assert "reference-khz" not in settings


def settings_set(ynl):
    name = domain(ynl)["name"]
    ynl.do("settings-set", {"settings": {"mode": "pelt", "count": ["user", "boost"]}})
    settings = ynl.do("settings-get", {})["settings"]
    assert settings["mode"] == "pelt"
    assert set(settings["own"]) == {"mode", "count"}
    ynl.do("settings-set", {"domain-name": name, "settings": {"decay-ms": 125}})
    answer = ynl.do("settings-get", {"domain-name": name})
    assert answer["domain-name"] == name
    assert answer["settings"]["decay-ms"] == 125
    assert answer["settings"]["mode"] == "pelt"
    assert "quantum" not in answer["settings"]
    ynl.do("settings-set", {"unset": ["mode", "count"]})
    ynl.do("settings-set", {"domain-name": name, "unset": ["decay-ms"]})
    settings_get(ynl)


def refusals(ynl):
    words, error = refused(ynl.do, "settings-set", {"settings": {"decay-ms": 0}})
    assert words == "decay_ms must be 1 to 60000 ms"
    assert abs(error) == 34
    words, error = refused(ynl.do, "domain-get", {"domain-name": "policy"})
    assert words == "no such frequency domain"
    assert refused(ynl.do, "domain-get", {})
    assert refused(ynl.do, "stats-get", {"cpu-id": 0})
    settings_get(ynl)


def domain(ynl):
    return ynl.dump("domain-get", {})[0]["domain"]


def domain_get(ynl):
    every = ynl.dump("domain-get", {})
    assert every
    for message in every:
        assert message["api-version"] == 1
        there = message["domain"]
        one = ynl.do("domain-get", {"domain-name": there["name"]})["domain"]
        assert one["cpus"] == there["cpus"]
        assert one["reference-khz"] == there["reference-khz"]
        assert one["reference-origin"] in ("setting", "arch", "table", "cpuinfo")
        assert one["clock-ns"] >= there["clock-ns"]
        assert "cap-khz" not in one or one["cause"] != "none"
        causes = {cap["cause"] for cap in one["caps"]["cap"]}
        assert causes == set(ynl.do("stats-get", {})["stats"]["causes"])


def cpu_get(ynl):
    every = ynl.dump("cpu-get", {})
    assert len(every) == os.cpu_count()
    for message in every:
        there = message["cpu"]
        one = ynl.do("cpu-get", {"cpu-id": there["cpu"]})["cpu"]
        assert one["domain"] == there["domain"]
        assert one["capacity"] == one["hint"] + one["average"]


def stats_get(ynl):
    stats = ynl.do("stats-get", {})["stats"]
    assert stats["domains"] == len(ynl.dump("domain-get", {}))
    assert stats["version"]
    assert "injected" in stats["causes"]


def inject(ynl):
    there = domain(ynl)
    half = there["reference-khz"] // 2
    ynl.do("inject", {"domain-name": there["name"], "inject-khz": half,
                      "inject-ttl-ms": 3600000})
    capped = ynl.do("domain-get", {"domain-name": there["name"]})["domain"]
    assert capped["cap-khz"] == half
    assert capped["cause"] == "injected"
    assert capped["pressure"] == 512
    ynl.do("inject", {"domain-name": there["name"]})
    assert "cap-khz" not in ynl.do("domain-get", {"domain-name": there["name"]})["domain"]


def events(ynl):
    """Every kind of event that needs no driver to go."""
    missing = {"settings-ntf", "cap-ntf", "hint-ntf"}
    # before its first request: a socket that was used has an address already
    ynl.ntf_subscribe("events")
    other = YnlFamily(SPEC, schema="")
    there = domain(other)
    other.do("settings-set", {"settings": {"mode": "instant"}})
    other.do("inject", {"domain-name": there["name"], "inject-khz": 1, "inject-ttl-ms": 3600000})
    for event in ynl.poll_ntf(duration=PATIENCE):
        missing.discard(event["name"])
        assert event["msg"]["api-version"] == 1
        if not missing:
            break
    other.do("inject", {"domain-name": there["name"]})
    other.do("settings-set", {"unset": ["mode"]})
    assert not missing, missing


TESTS = (settings_get, settings_set, refusals, domain_get, cpu_get, stats_get, inject, events)


def main():
    failed = 0
    print("TAP version 13")
    print(f"1..{len(TESTS)}")
    for number, test in enumerate(TESTS, 1):
        verdict = "ok"
        try:
            test(YnlFamily(SPEC, schema=""))
        except Exception as error:  # whatever it is, the other tests run too
            verdict = "not ok"
            failed += 1
            print(f"# {type(error).__name__}: {error} at line "
                  f"{error.__traceback__.tb_next.tb_lineno}")
        print(f"{verdict} {number} {test.__name__}", flush=True)
    return 1 if failed else 0


sys.exit(main())
