import { lastLinesScript } from "../../../../agents/harness/last-lines";
import { assertShell } from "../../components/in-cluster/shell";

describe("the last lines of a machine", () => {
    it("are collected by a script with valid shell syntax", () => assertShell(`#!/bin/sh\n${lastLinesScript}\n`));
});
