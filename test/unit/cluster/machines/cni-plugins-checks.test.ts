import assert from "node:assert/strict";
import { publishedCniPlugins } from "../../../../cluster/downloads";
import { requireArchitecture, requireCniPlugins } from "../../../../cluster/machines/download-checks";

const { urls, sha256, version } = publishedCniPlugins("amd64");
const other = "4".repeat(64);
const check = (url: string, sum: string) => requireCniPlugins("cniPlugins", { urls: [url], sha256: sum }, "amd64");

describe("an archive of CNI plugins", () => {
    it("may be the published archive, a mirrored one, or another version or build", () => {
        check(urls[0]!, sha256);
        check(`https://mirror.example/releases/2.0.1/cni-plugins-${version}.tgz`, sha256);
        check("https://mirror.example/releases/2.0.1/cni-plugins.tgz", sha256);
        check("https://mirror.example/cni-plugins-v9.9.9.tgz", other);
        check(`https://mirror.example/cni-plugins-${version}.tgz`, other);
    });

    it("is not the published one with another checksum", () => {
        assert.throws(() => check(urls[0]!, other), {
            message: `cniPlugins.sha256 must be ${sha256}, that of ${urls[0]} (got ${other})`,
        });
    });

    it("is not another version's or architecture's with the checksum of the published one", () => {
        const newer = "https://mirror.example/cni-plugins-linux-amd64-v9.9.9.tgz";
        assert.throws(() => check(newer, sha256), {
            message: `cniPlugins.sha256 must be that of ${newer} (got ${sha256}, that of CNI plugins ${version} for amd64)`,
        });
        const arm64 = publishedCniPlugins("arm64").sha256;
        assert.throws(() => check("https://mirror.example/cni.tgz", arm64), {
            message: `cniPlugins.sha256 must be that of https://mirror.example/cni.tgz (got ${arm64}, that of CNI plugins ${version} for arm64)`,
        });
    });

    it("is for the architecture that its URL names", () => {
        requireArchitecture("urls[0]", "https://mirror.example/arm64-and-amd64/file", "amd64");
        requireArchitecture("urls[0]", "https://farm64.example/file", "amd64");
        assert.throws(() => requireArchitecture("urls[0]", "https://mirror.example/arm64/file", "amd64"), {
            message: "urls[0] must be of a file for amd64 (got https://mirror.example/arm64/file)",
        });
    });
});
