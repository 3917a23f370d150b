import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";

const program = resolve(__dirname, "../../../../dev/tradewind.cjs");
const file = "config:\n  tradewind:kubernetesVersion: 1.36.2\n  tradewind:updateChannel: patch\n";

/** Previews no change. Leaves a file when the command of its variable runs, which SIGINT ends. */
const pulumi = `#!/bin/sh
trap 'echo interrupted >> "$RECORD"; exit 1' INT
if [ "$1" = "$WAITS_IN" ]; then
    touch "$WAITING"
    i=0; while [ $i -lt 600 ]; do sleep 0.05; i=$((i + 1)); done
fi
while [ $# -gt 1 ]; do
    if [ "$1" = --event-log ]; then echo '{"summaryEvent":{}}' > "$2"; fi
    shift
done
`;

describe("tradewind updates --apply that is interrupted", function () {
    this.timeout(30_000);
    let folder: string;
    const at = (name: string) => join(folder, name);
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-interrupted-"));
        for (const each of ["bin", "tmp"]) mkdirSync(at(each));
        writeFileSync(at("bin/pulumi"), pulumi, { mode: 0o755 });
        writeFileSync(at("Pulumi.yaml"), "name: x\n");
        writeFileSync(at("Pulumi.c.yaml"), file);
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    async function interrupted(waitsIn: string, signal: NodeJS.Signals) {
        const { PATH } = process.env;
        const env = { ...process.env, PATH: `${at("bin")}${delimiter}${PATH}`, TMPDIR: at("tmp") };
        const child = spawn(process.execPath, [program, "updates", "--apply"], {
            cwd: folder,
            env: { ...env, WAITS_IN: waitsIn, WAITING: at("waiting"), RECORD: at("record") },
        });
        let said = "";
        child.stderr.on("data", (text) => {
            said += text;
        });
        const ended = once(child, "close");
        while (!existsSync(at("waiting")) && child.exitCode === null) await setTimeout(20);
        child.kill(signal);
        const [code] = await ended;
        const left = readdirSync(at("tmp")).filter((name) => name.startsWith("tradewind"));
        return { code, said, left, config: readFileSync(at("Pulumi.c.yaml"), "utf8") };
    }

    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
        it(`waits until pulumi up has ended, and leaves nothing: ${signal}`, async () => {
            const { code, said, left, config } = await interrupted("up", signal);
            assert.equal(code, 130, said);
            assert.match(said, /interrupted; run the same command again to resume\n$/);
            assert.deepEqual([left, config], [[], file]);
            assert.equal(readFileSync(at("record"), "utf8"), "interrupted\n");
        });
    }

    it("leaves nothing if it was in a preview", async () => {
        const { code, left, config } = await interrupted("preview", "SIGTERM");
        assert.deepEqual([code, left, config], [130, [], file]);
    });
});
