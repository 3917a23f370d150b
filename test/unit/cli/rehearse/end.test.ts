import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inPrivateFolder } from "../../../../cli/rehearse/folder";
import { requireNewer } from "../../../../cli/rehearse/rehearse";

/** A rehearsal that prints its folder and the id of a program that it runs. */
const source = `
    const { inPrivateFolder } = require("./cli/rehearse/folder");
    const { GuardedProcess } = require("./cli/rehearse/process");
    inPrivateFolder(async (folder) => {
        new GuardedProcess("sh", ["-c", "echo $$ > " + folder + "/id; exec sleep 600"], folder + "/log");
        // It exists before it is written.
        const { existsSync, readFileSync } = require("node:fs");
        const id = () => (existsSync(folder + "/id") ? readFileSync(folder + "/id", "utf8") : "");
        while (id() === "") await new Promise((resolve) => setTimeout(resolve, 20));
        console.log(folder + " " + id().trim());
        await new Promise((resolve) => setTimeout(resolve, 600_000));
    });
`;

async function until(isSo: () => boolean, what: string): Promise<void> {
    for (const deadline = Date.now() + 20_000; !isSo(); await sleep(20)) {
        assert.ok(Date.now() < deadline, `not within 20 s: ${what}`);
    }
}

function hasEnded(id: number): boolean {
    try {
        process.kill(id, 0);
        return false;
    } catch {
        return true;
    }
}

describe("the end of a rehearsal", function () {
    this.timeout(60_000);
    let state: string;
    let child: ChildProcess;

    async function begin(): Promise<{ folder: string; program: number }> {
        state = mkdtempSync(join(tmpdir(), "tradewind-rehearse-"));
        const env = { ...process.env, TRADEWIND_STATE: state };
        child = spawn(process.execPath, ["-r", "tsx/cjs", "-e", source], { env, stdio: ["ignore", "pipe", "inherit"] });
        const [line] = await once(child.stdout!, "data");
        const [folder = "", program = ""] = String(line).trim().split(" ");
        return { folder, program: Number(program) };
    }
    afterEach(() => {
        child.kill("SIGKILL");
        rmSync(state, { recursive: true, force: true });
    });

    it("by Ctrl-C ends its programs and removes its folder", async () => {
        const { folder, program } = await begin();
        child.kill("SIGINT");
        const [code] = await once(child, "exit");
        assert.equal(code, 130);
        assert.ok(!existsSync(folder));
        await until(() => hasEnded(program), "the program ended");
    });

    it("by SIGKILL ends its programs, and leaves its folder to the next one", async () => {
        const { folder, program } = await begin();
        child.kill("SIGKILL");
        await until(() => hasEnded(program), "the program ended");
        assert.deepEqual(readdirSync(join(state, ".rehearsals")), [folder.split("/").at(-1)]);
    });
});

describe("the folder of a rehearsal", () => {
    const state = mkdtempSync(join(tmpdir(), "tradewind-rehearse-"));
    const { TRADEWIND_STATE: usual } = process.env;
    before(() => {
        process.env.TRADEWIND_STATE = state;
    });
    after(() => {
        if (usual === undefined) delete process.env.TRADEWIND_STATE;
        else process.env.TRADEWIND_STATE = usual;
        rmSync(state, { recursive: true });
    });

    it("replaces that of a killed process with the same ID, as in containers", async () => {
        const left = join(state, ".rehearsals", String(process.pid));
        mkdirSync(left, { recursive: true });
        writeFileSync(join(left, "old"), "");
        await inPrivateFolder(async (folder) => assert.deepEqual([folder, readdirSync(folder)], [left, []]));
        assert.ok(!existsSync(left));
    });
});

describe("the version of a rehearsal", () => {
    it("must be newer than that of the cluster", () => {
        requireNewer("1.36.3", "1.37.1");
        for (const to of ["1.36.3", "1.35.4"]) {
            assert.throws(() => requireNewer("1.36.3", to), {
                message: `--kubernetes must be newer than the cluster's version, 1.36.3 (got ${to})`,
            });
        }
    });
});
