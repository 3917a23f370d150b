import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stackExport } from "../../../cli/reach/stack-record";
import { pulumi, pulumiCli } from "../../../local/pulumi";
import { stackOutputs } from "../../../local/stack";
import { clusterState } from "../../../local/state";
import { makeResumable } from "../../../local/up";
import { setVariables } from "../../variables";

describe("the Pulumi CLI of a local cluster", () => {
    let root: string;
    let reset = () => {};

    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "tradewind-pulumi-"));
        reset = setVariables({ TRADEWIND_STATE: join(root, "state"), TRADEWIND_CACHE: join(root, "cache") });
    });
    afterEach(() => {
        reset();
        rmSync(root, { recursive: true });
    });

    const program = (script: string) => {
        mkdirSync(dirname(pulumiCli()), { recursive: true });
        writeFileSync(pulumiCli(), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    };
    const messageOf = (work: Promise<unknown>) =>
        work.then(
            () => assert.fail("it succeeded"),
            ({ name, message }: Error) => `${name}: ${message}`,
        );

    it("may be killed in the middle of an export without showing its secrets", async () => {
        program('echo \'{"plaintext":"hush"\'; kill -9 $$');
        const failed = pulumi(clusterState("lab"), ["stack", "export", "--show-secrets"]);
        assert.match(await messageOf(failed), /^Error: pulumi stack export failed: Command failed: [^{]*$/);
    });

    it("explains its failures on standard output otherwise", async () => {
        program("echo 'no such stack'; exit 1");
        const failed = pulumi(clusterState("lab"), ["cancel"]);
        assert.equal(await messageOf(failed), "Error: pulumi cancel failed: no such stack");
    });

    it("must print outputs as JSON, which are not quoted otherwise", async () => {
        program("echo 'warning: hush'");
        const failed = stackOutputs(clusterState("lab"));
        assert.equal(await messageOf(failed), "Error: pulumi stack output must print JSON, and nothing else");
    });

    it("exports a state that a power cut has damaged from Pulumi's backup, or says which file to replace", async () => {
        const state = clusterState("lab");
        const file = join(state.backend, ".pulumi/stacks/tradewind/lab.json");
        mkdirSync(dirname(file), { recursive: true });
        for (const each of [file, `${file}.bak`]) writeFileSync(each, "");
        program(`cat '${file}'`);
        assert.match(await messageOf(stackExport(state)), /^Error: .*lab\.json, the state of the stack, is damaged: /);
        writeFileSync(`${file}.bak`, '{"deployment":{"resources":[]}}');
        assert.deepEqual(await stackExport(state), { deployment: { resources: [] } });
    });

    describe("and the lock of a killed run", () => {
        const state = () => clusterState("lab");
        const lock = () => join(state().backend, ".pulumi/locks/organization/tradewind/lab/1.json");

        beforeEach(() => {
            const stacks = join(state().backend, ".pulumi/stacks/tradewind");
            for (const folder of [stacks, dirname(lock())]) mkdirSync(folder, { recursive: true });
            writeFileSync(join(stacks, "lab.json"), "{}");
            program(`[ "$*" = "--non-interactive cancel --yes" ] && rm '${lock()}'`);
        });

        for (const text of ["", '{"pid":', JSON.stringify({ pid: 2 ** 22 + 1, hostname: hostname() })]) {
            it(`removes it: ${text.slice(0, 7) || "an empty one"}`, async () => {
                writeFileSync(lock(), text);
                await makeResumable(state(), () => {});
                assert.equal(existsSync(lock()), false);
            });
        }
    });
});
