import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { machineCommand } from "../../../../components/local/network";

describe("a machines' command", () => {
    const command = machineCommand("machine create", { cluster: "c", name: "c-a-0" });

    it("has the verb and its options", () => {
        assert.match(command, /^node --require tsx\/cjs \S+ machine create --cluster c --name c-a-0$/);
    });

    it("uses an existing program by a relative path, so that a moved checkout changes nothing", () => {
        const [path] = /\S+cli\.ts/.exec(command)!;
        assert.ok(existsSync(path));
        assert.doesNotMatch(path, /^\//);
    });
});
