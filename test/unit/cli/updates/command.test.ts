import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { KUBERNETES_VERSIONS, versions } from "../../../../versions";
import { kubeletChecksums } from "../../../../versions/published-checksums";

const program = resolve(__dirname, "../../../../dev/tradewind.cjs");
const older = "1.35.4";
const next = "1.36.3";

describe("tradewind updates", function () {
    this.timeout(30_000);
    let folder: string;
    const updates = (...args: string[]) => spawnSync(program, ["updates", ...args], { encoding: "utf8", cwd: folder });
    const write = (stack: string, version: string | undefined, ...lines: string[]) => {
        const all = [...(version ? [`tradewind:kubernetesVersion: ${version}`] : []), ...lines];
        writeFileSync(join(folder, `Pulumi.${stack}.yaml`), `config:\n${all.map((line) => `  ${line}\n`).join("")}`);
    };
    const read = (stack: string) => readFileSync(join(folder, `Pulumi.${stack}.yaml`), "utf8");

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-updates-"));
        writeFileSync(join(folder, "Pulumi.yaml"), "name: x\n");
        write("follows", undefined, "tradewind:updateChannel: minor");
        write("newest", KUBERNETES_VERSIONS[0], "tradewind:updateChannel: minor");
        write("older", older, "tradewind:updateChannel: minor", "tradewind:downloads: { kubelet: { sha256: a } }");
        write("opted-out", older);
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("shows the update of each stack, and writes nothing", () => {
        const { status, stdout } = updates();
        assert.equal(status, 0);
        const tell = (stack: string, ...words: string[]) =>
            assert.match(stdout, new RegExp(`Pulumi\\.${stack}\\.yaml +${words.join(" +")} *\\n`));
        tell("follows", versions.kubernetes, "-", "minor", "no version set; uses that of this release");
        tell("newest", KUBERNETES_VERSIONS[0], "-", "minor");
        tell("older", older, next, "minor");
        tell("opted-out", older, "-", "none");
        assert.match(stdout, /Nothing was written; use --write/);
        assert.match(read("older"), new RegExp(`kubernetesVersion: ${older}`));
    });

    it("writes available updates and their known checksums with --write", () => {
        const { sha256 } = kubeletChecksums[next].amd64;
        assert.match(updates("--write").stdout, /\n1 written\./);
        assert.match(read("older"), new RegExp(`kubernetesVersion: ${next}\n(.*\n)* .*kubelet: { sha256: ${sha256} }`));
        assert.match(read("opted-out"), new RegExp(`kubernetesVersion: ${older}`));
        assert.doesNotMatch(updates("--write", "Pulumi.newest.yaml").stdout, /written/);
    });

    it("mentions a stack's own URLs, which may contain a version", () => {
        const kubelet = "{ urls: [https://mirror.test/kubelet], sha256: a }";
        write("mirror", older, `tradewind:downloads: { kubelet: ${kubelet} }`);
        const args = ["--channel", "minor", "--write", "Pulumi.mirror.yaml"];
        assert.match(
            updates(...args).stdout,
            /downloads\.kubelet\.urls must then be changed to [\d.]+ manually, and sha256/,
        );
    });

    it("mentions a checksum that this release does not know, and keeps what the file has", () => {
        write("unknown", "1.36.3", "tradewind:downloads: { kubelet: { sha256: a } }");
        const { stdout } = updates("--channel", "minor", "--write", "Pulumi.unknown.yaml");
        const url = "https://dl.k8s.io/v1.37.2/bin/linux/amd64/kubelet.sha256";
        const note = `downloads.kubelet.sha256 to that of ${url} must then be changed manually`;
        assert.ok(stdout.includes(note), stdout);
        assert.match(read("unknown"), /kubernetesVersion: 1\.37\.2\n.*sha256: a /);
    });

    it("accepts a channel and files, and has output for programs", () => {
        const { stdout } = updates("--channel", "minor", "-o", "json", "Pulumi.opted-out.yaml");
        assert.deepEqual(JSON.parse(stdout), [
            { file: "Pulumi.opted-out.yaml", from: older, to: next, channel: "minor", isWritten: false },
        ]);
        const patch = updates("--channel", "patch", "-o", "json", "Pulumi.opted-out.yaml");
        assert.equal(JSON.parse(patch.stdout)[0].to, undefined);
    });

    it("rejects a version that is not supported before writing any file", () => {
        write("strange", "1.2.3");
        const { status, stderr } = updates("--write");
        assert.equal(status, 2);
        assert.match(stderr, /Pulumi\.strange\.yaml: kubernetesVersion must be a release of .* \(got 1\.2\.3\)/);
        assert.match(read("older"), new RegExp(`kubernetesVersion: ${older}`));
    });
});
