import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { versions } from "../../../../cli/support-bundle/command";

describe("versions in a support bundle", () => {
    let folder: string;
    const program = (name: string, script: string) => {
        writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
        chmodSync(join(folder, name), 0o755);
        return join(folder, name);
    };

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-versions-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("are those of Pulumi, Docker, and the checkout with local changes", async () => {
        const checkout = join(folder, "checkout");
        mkdirSync(checkout);
        const git = (...args: string[]) => execFileSync("git", ["-C", checkout, ...args], { encoding: "utf8" }).trim();
        git("init", "--quiet");
        writeFileSync(join(checkout, "file"), "one");
        git("add", ".");
        git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "one");
        git("tag", "v9");
        const programs = {
            pulumi: program("pulumi", 'echo "v3.$1.0"'),
            docker: program("docker", "echo 20.10.24, client 20.10.25"),
            checkout,
        };
        const { pulumi, docker, commit, node } = await versions(programs);
        assert.deepEqual([pulumi, docker, node], ["3.version.0", "20.10.24, client 20.10.25", process.version]);
        assert.equal(commit, git("rev-parse", "HEAD"));
        writeFileSync(join(checkout, "file"), "two");
        assert.equal((await versions(programs)).commit, `${git("rev-parse", "HEAD")}-dirty`);
    });

    it("are unknown with a reason if a program is missing or prints nothing", async () => {
        const docker = program("docker", "echo 'Cannot connect to the Docker daemon' >&2; exit 1");
        const told = await versions({ pulumi: join(folder, "none"), docker, checkout: folder });
        assert.match(told.pulumi!, /^unknown: spawn .*none ENOENT$/);
        assert.equal(told.docker, "unknown: Cannot connect to the Docker daemon");
        assert.equal(told.commit, "unknown: no checkout");
    });
});
