import { lastLinesScript } from "../../../../agents/common/last-lines";
import { assertShell } from "../../components/shell";

describe("the last lines of a machine", () => {
    it("are told by a script that a shell can read", () => assertShell(`#!/bin/sh\n${lastLinesScript}\n`));
});
