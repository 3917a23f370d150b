import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { cloudNames } from "../../../cluster/clouds";

const root = resolve(__dirname, "../../..");

/** Names of the cloud SDKs that a stack's program loads. */
function loaded(stack: string): string[] {
    const program = `require("./stacks/${stack}");
        const names = Object.keys(require.cache).map((path) => /node_modules.@pulumi.(\\w+)/.exec(path)?.[1]);
        console.log(JSON.stringify([...new Set(names)]));`;
    const args = ["--require", join(root, "bundling/quick-sdk.cjs"), "--eval", program];
    const all: string[] = JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" }));
    return cloudNames.filter((name) => all.includes(name));
}

describe("a stack's program", function () {
    this.timeout(30_000);

    it("loads only the SDK of its own cloud", () => {
        assert.deepEqual(loaded("local"), []);
        for (const cloud of cloudNames) assert.deepEqual(loaded(cloud), [cloud]);
    });
});
