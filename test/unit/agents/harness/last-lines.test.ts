import { lastLinesScript } from "../../../../agents/harness/last-lines";
import { assertShell } from "../../components/in-cluster/shell";

describe("the last lines of a machine", () => {
    it("are told by a script that a shell can read", () => assertShell(`#!/bin/sh\n${lastLinesScript}\n`));
});
