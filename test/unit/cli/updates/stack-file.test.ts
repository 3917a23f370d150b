import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStackFile, withVersion } from "../../../../cli/updates/stack-file";
import { kubeletChecksums } from "../../../../versions/published-checksums";

describe("a stack's configuration file", () => {
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-updates-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const file = (text: string) => {
        const path = join(folder, "Pulumi.c.yaml");
        writeFileSync(path, text);
        return path;
    };

    for (const quote of ["", '"', "'"]) {
        it(`only changes its version, written as ${quote}1.35.4${quote}`, () => {
            const text = (version: string) =>
                `# Ours.\nencryptionsalt: v1:abc\nconfig:\n   tradewind:kubernetesVersion:   ${quote}${version}${quote} # 1.35.4 was first\n` +
                "   tradewind:updateChannel: minor\n   other: {  kept: as it is }\n";
            const read = readStackFile(file(text("1.35.4")));
            assert.deepEqual([read.version, read.channel, read.ownChecksums], ["1.35.4", "minor", []]);
            assert.equal(withVersion(read, "1.36.3"), text("1.36.3").replace("# 1.36.3", "# 1.35.4"));
        });
    }

    it("may have no version, no channel and no configuration", () => {
        for (const text of ["", "encryptionsalt: v1:abc\n", "config:\n  tradewind:cloud: aws\n"]) {
            const { version, channel, ownChecksums } = readStackFile(file(text));
            assert.deepEqual(
                { version, channel, ownChecksums },
                { version: undefined, channel: "none", ownChecksums: [] },
            );
        }
    });

    it("says for which architectures it has checksums", () => {
        const kubelet = "kubelet: { sha256: abc }";
        for (const [given, own] of [
            [kubelet, ["amd64"]],
            [`arm64: { ${kubelet} }`, ["arm64"]],
            [`${kubelet}, arm64: { ${kubelet} }`, ["amd64", "arm64"]],
            ["kubelet: { urls: [https://mirror.example/kubelet] }", []],
        ] as const) {
            const text = `config:\n  tradewind:downloads: { ${given} }\n`;
            assert.deepEqual(readStackFile(file(text)).ownChecksums, own);
        }
    });

    it("also changes the hashes of its kubelets, wherever they are, and nothing else", () => {
        const text = (version: string, amd64: string, arm64: string) =>
            `config:\n  tradewind:downloads: # ours\n    kubelet:\n      sha256: "${amd64}" # of amd64\n    arm64:\n` +
            `      kubelet: { sha256: ${arm64} } # of arm64\n  tradewind:kubernetesVersion: ${version} # now\n`;
        const [one, two] = ["1", "2"].map((digit) => `a${digit.repeat(63)}`);
        const changed = withVersion(readStackFile(file(text("1.35.4", one!, two!))), "1.36.3");
        const { amd64, arm64 } = kubeletChecksums["1.36.3"];
        assert.equal(changed, text("1.36.3", amd64.sha256, arm64.sha256));
    });

    it("is read as Pulumi does: with aliases, merge keys and JSON, in which nothing is changed", () => {
        const checksum = `tradewind:downloads: '{"kubelet":{"sha256":"a"}}'`;
        for (const [text, changed] of [
            ["v: &v 1.35.4\nconfig:\n  tradewind:kubernetesVersion: *v\n", "kubernetesVersion"],
            ["v: &v\n  tradewind:kubernetesVersion: 1.35.4\nconfig:\n  <<: *v\n", "kubernetesVersion"],
            [`config:\n  tradewind:kubernetesVersion: 1.35.4\n  ${checksum}\n`, "downloads.kubelet.sha256"],
        ] as const) {
            const read = readStackFile(file(text));
            assert.equal(read.version, "1.35.4", text);
            assert.throws(() => withVersion(read, "1.36.3"), {
                message: `${read.path}: tradewind:${changed} must be changed manually: it is an alias, or part of a JSON text`,
            });
        }
    });

    it("is rejected if it is invalid", () => {
        assert.throws(() => readStackFile(join(folder, "none")), /FILE must be a readable file \(got .*none\): ENOENT/);
        assert.throws(() => readStackFile(file("config: [")), /Pulumi\.c\.yaml must be valid YAML: [^\n]*$/);
        assert.throws(
            () => readStackFile(file("text")),
            /FILE must be a stack's configuration \(got .*, which is no mapping\)/,
        );
        assert.throws(() => readStackFile(file("config: [1]")), /config must be a mapping \(got \[1\]\)/);
        assert.throws(() => readStackFile(file("config: text")), /config must be a mapping \(got "text"\)/);
        assert.throws(
            () => readStackFile(file("config:\n  tradewind:updateChannel: latest\n")),
            /updateChannel must be none, patch or minor \(got latest\)/,
        );
        const windows = (value: string) => readStackFile(file(`config:\n  tradewind:updateWindows: ${value}\n`));
        assert.throws(() => windows("Sunday"), /updateWindows must be a list \(got Sunday\)/);
        assert.throws(() => windows(`"[a"`), /updateWindows must be a list \(got \[a\)/);
        assert.throws(() => windows("{ a: 1 }"), /updateWindows must be a list \(got {"a":1}\)/);
        assert.throws(() => windows("[Sun 2-5]"), /updateWindows\[0\] must be "<days> .* \(got Sun 2-5\)/);
        assert.deepEqual(windows("[Sun 02:00-05:00]").windows, windows(`'["Sun 02:00-05:00"]'`).windows);
    });
});
