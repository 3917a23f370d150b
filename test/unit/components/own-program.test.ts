import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { ownProgram } from "../../../components/own-program";

describe("the command that runs a program of this package", () => {
    it("names one that is there, and no place of this computer: a moved checkout changes nothing", () => {
        for (const path of ["machines/cli", "agents/bootstrap-sender/main"]) {
            const command = ownProgram(path);
            assert.match(command, /^node --require tsx\/cjs [^/]\S+\.ts$/);
            assert.ok(existsSync(command.split(" ").at(-1)!));
        }
    });
});
