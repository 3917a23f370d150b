import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { agentHash, bundleAgent } from "../../../bundling/agents";

const root = resolve(__dirname, "../../..");

describe("an agent's bundle", function () {
    this.timeout(30_000);

    it("needs only Node", () => {
        const needed = [...bundleAgent("bootstrap").matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = ""]) => name);
        assert.ok(needed.length > 0);
        assert.deepEqual(
            needed.filter((name) => !builtinModules.includes(name.replace(/^node:/, ""))),
            [],
        );
    });

    it("is the same from any checkout, in any process", () => {
        const elsewhere = mkdtempSync(join(tmpdir(), "tradewind-elsewhere-"));
        try {
            mkdirSync(join(elsewhere, "copy"));
            for (const folder of ["agents", "bundling", "clients"]) {
                cpSync(join(root, folder), join(elsewhere, "copy", folder), { recursive: true });
            }
            // Without the folder itself, which contains this checkout's bundles.
            mkdirSync(join(elsewhere, "copy/node_modules"));
            for (const name of readdirSync(join(root, "node_modules"))) {
                if (!name.startsWith(".")) {
                    symlinkSync(join(root, "node_modules", name), join(elsewhere, "copy/node_modules", name));
                }
            }
            const program = 'console.log(require("./bundling/agents").agentHash("bootstrap"))';
            const hash = execFileSync(process.execPath, ["-r", "tsx/cjs", "-e", program], {
                cwd: join(elsewhere, "copy"),
                encoding: "utf8",
            });
            assert.equal(hash.trim(), agentHash("bootstrap"));
        } finally {
            rmSync(elsewhere, { recursive: true });
        }
    });
});
