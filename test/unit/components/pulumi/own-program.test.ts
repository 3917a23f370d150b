import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { ownProgram, placeOf } from "../../../../components/pulumi/own-program";

describe("the command that runs a program of this package", () => {
    it("names an existing one by a relative path, so that a moved checkout changes nothing", () => {
        for (const path of ["machines/cli", "agents/bootstrap-sender/main"]) {
            const command = ownProgram(path);
            assert.match(command, /^node --require tsx\/cjs [^/]\S+\.ts$/);
            assert.ok(existsSync(command.split(" ").at(-1)!));
        }
    });

    it("finds what Pulumi installed as a plugin in the home directory of the current user", () => {
        const plugin = "plugins/resource-github.com_somebody_tradewind.git-v0.1.0/agents/clean-up/main.ts";
        assert.equal(
            placeOf(`/home/a/.pulumi/${plugin}`, "/home/a/program"),
            `"\${PULUMI_HOME:-$HOME/.pulumi}/${plugin}"`,
        );
        assert.equal(placeOf("/home/a/checkout/agents/main.ts", "/home/a/program"), "../checkout/agents/main.ts");
    });

    it("has its loader of TypeScript with it, where the program's directory has none", () => {
        const before = process.cwd();
        try {
            process.chdir("/");
            const [, , required = "", program = ""] = ownProgram("machines/cli").split(" ");
            assert.ok(existsSync(required) && existsSync(program), `${required} ${program}`);
        } finally {
            process.chdir(before);
        }
    });
});
