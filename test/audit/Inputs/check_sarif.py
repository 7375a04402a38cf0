# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks SARIF 2.1.0 as autoprof writes it: what the standard requires, no
property that the standard does not have, and what GitHub needs to show it.

With a second argument, a copy of the official schema, checks that, too.
"""
import json
import sys

# Of each object: the properties it must have, then those it may have; "[]"
# marks arrays; the name after the colon is the object's shape.
SHAPES = {
    "log": ("version:str runs[]:run", "$schema:str"),
    "run": ("tool:tool", "automationDetails:id columnKind:str "
            "invocations[]:invocation results[]:result"),
    "tool": ("driver:driver", ""),
    "driver": ("name:str", "rules[]:rule"),
    "rule": ("id:str", "shortDescription:message fullDescription:message "
             "helpUri:str help:markdown defaultConfiguration:configuration "
             "properties:bag"),
    "configuration": ("", "level:str"),
    "id": ("", "id:str"),
    "invocation": ("executionSuccessful:bool",
                   "toolExecutionNotifications[]:notification"),
    "notification": ("message:message", "level:str"),
    "result": ("message:message", "ruleId:str ruleIndex:int level:str "
               "locations[]:location partialFingerprints:bag "
               "relatedLocations[]:location codeFlows[]:flow "
               "baselineState:str suppressions[]:suppression "
               "properties:bag"),
    "suppression": ("kind:str", "status:str justification:str"),
    "location": ("", "physicalLocation:physical message:message"),
    "physical": ("artifactLocation:artifact", "region:region"),
    "artifact": ("", "uri:str uriBaseId:str"),
    "region": ("", "startLine:int startColumn:int endColumn:int"),
    "flow": ("threadFlows[]:thread", ""),
    "thread": ("locations[]:step", ""),
    "step": ("", "location:location"),
    "message": ("text:str", ""),
    "markdown": ("text:str", "markdown:str"),
}
TYPES = {"str": str, "int": int, "bool": bool, "bag": dict, "number": (int, float)}


def check(value, shape, where):
    if shape in TYPES:
        assert isinstance(value, TYPES[shape]), f"{where} is no {shape}"
        return
    assert isinstance(value, dict), f"{where} is not an object"
    required, optional = SHAPES[shape]
    known = {}
    for entry in (required + " " + optional).split():
        name, inner = entry.rsplit(":", 1)
        known[name.removesuffix("[]")] = (name.endswith("[]"), inner)
    for entry in required.split():
        name = entry.rsplit(":", 1)[0].removesuffix("[]")
        assert name in value, f"{where} has no {name}"
    for name, inner in value.items():
        assert name in known, f"{where} has an unknown property {name}"
        many, inner_shape = known[name]
        if not many:
            check(inner, inner_shape, f"{where}.{name}")
            continue
        assert isinstance(inner, list), f"{where}.{name} is no array"
        for index, element in enumerate(inner):
            check(element, inner_shape, f"{where}.{name}[{index}]")


def check_result(result, rules):
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"], result
    assert result["level"] in ("warning", "note"), result
    place = result["locations"][0]["physicalLocation"]
    uri = place["artifactLocation"]["uri"]
    assert "\\" not in uri and " " not in uri, uri
    assert uri.startswith("file:///") != (
        place["artifactLocation"].get("uriBaseId") == "%SRCROOT%"), place
    region = place["region"]
    assert region["startLine"] >= 1 and region["startColumn"] >= 1, region
    assert region["endColumn"] > region["startColumn"], region
    assert result["partialFingerprints"]["primaryLocationLineHash"], result


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        log = json.load(file)
    check(log, "log", "log")
    assert log["version"] == "2.1.0"
    assert "sarif-schema-2.1.0" in log["$schema"]
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    names = [rule["id"] for rule in rules]
    assert len(set(names)) == len(names), "a rule stands there twice"
    assert run["results"], "there are no results"
    prints = [r["partialFingerprints"]["primaryLocationLineHash"]
              for r in run["results"]]
    assert len(set(prints)) == len(prints), "two results share a fingerprint"
    for result in run["results"]:
        check_result(result, rules)
    if len(sys.argv) > 2:
        import jsonschema
        with open(sys.argv[2], encoding="utf-8") as file:
            jsonschema.validate(log, json.load(file))


main()
