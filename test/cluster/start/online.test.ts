import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describeLong } from "../../takes-long";
import { TestCluster } from "../cluster";
import { OfficialSite } from "../official-site";

/** All that filling the cache online needs; `sh` and the commands of coreutils are everywhere. */
const PROGRAMS = [
    "node",
    "npm",
    "docker",
    "flock",
    "tar",
    "gzip",
    "sh",
    "cp",
    "cat",
    "find",
    "chmod",
    "env",
    "apt-get",
];
const UNPRIVILEGED = 65_534;

describeLong("a machine with internet", function () {
    this.timeout(1_800_000);
    this.bail(true);
    let folder: string;
    let site: OfficialSite;
    let own: string;

    before(async () => {
        // The folder of temporary files of tests is closed to other users.
        folder = mkdtempSync("/var/tmp/tradewind-online-");
        chmodSync(folder, 0o755);
        own = join(folder, "cache");
        mkdirSync(own);
        chownSync(own, UNPRIVILEGED, UNPRIVILEGED);
        mkdirSync(join(folder, "site"));
        site = new OfficialSite(join(folder, "site"));
        await site.start();
        await site.makeBuilder();
    });
    after(() => {
        site?.stop();
        rmSync(folder, { recursive: true, force: true });
    });

    it("fills the cache without root, Go and debootstrap", async () => {
        const bin = join(folder, "bin");
        mkdirSync(bin);
        for (const name of PROGRAMS)
            symlinkSync(execFileSync("which", [name], { encoding: "utf8" }).trim(), join(bin, name));
        const { gid } = statSync("/var/run/docker.sock");
        const started = performance.now();
        const filled = promisify(execFile)("setpriv", [
            ...[
                `--reuid=${UNPRIVILEGED}`,
                `--regid=${gid}`,
                "--clear-groups",
                "env",
                "-i",
                `PATH=${bin}`,
                `HOME=${own}`,
            ],
            ...[
                `TRADEWIND_CACHE=${own}`,
                `GOPROXY=${execFileSync("go", ["env", "GOPROXY"], { encoding: "utf8" }).trim()}`,
            ],
            ...["node", "-r", "tsx/cjs", join(__dirname, "..", "fill-online.ts"), String(site.port)],
        ]);
        await filled;
        console.log(`      fill: ${((performance.now() - started) / 1000).toFixed(0)} s`);
        const index = JSON.parse(readFileSync(join(own, "index.json"), "utf8"));
        const built = Object.keys(index).filter((id) => index[id].source === "built");
        assert.deepEqual(built.sort(), ["ignition 2.24.0", "machine root filesystem"]);
    });

    it("runs a cluster of what it fetched", async () => {
        const cluster = new TestCluster("online", { TRADEWIND_CACHE: own });
        try {
            const started = performance.now();
            await cluster.start("--controllers", "1", "--workers", "1", "--yes");
            console.log(`      npm start: ${((performance.now() - started) / 1000).toFixed(0)} s`);
        } finally {
            await cluster.destroy();
        }
    });
});
