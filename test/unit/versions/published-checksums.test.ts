import assert from "node:assert/strict";
import {
    cniPluginsChecksums,
    kubeletChecksums,
    type Published,
    runcChecksums,
} from "../../../versions/published-checksums";

const all: Readonly<Record<string, Published>> = {
    ...kubeletChecksums,
    "CNI plugins": cniPluginsChecksums,
    runc: runcChecksums,
};
const each = Object.entries(all).flatMap(([file, { amd64, arm64 }]) => [
    { file, architecture: "amd64", ...amd64 },
    { file, architecture: "arm64", ...arm64 },
]);

describe("checksums that projects publish", () => {
    it("are different SHA-256", () => {
        for (const { sha256 } of each) assert.match(sha256, /^[0-9a-f]{64}$/);
        assert.equal(new Set(each.map(({ sha256 }) => sha256)).size, each.length);
    });

    it("were found in kops or kubespray, and some in two projects", () => {
        const generated = /^(kubernetes\/kops|kubernetes-sigs\/kubespray) .* at [0-9a-f]{40}$/;
        for (const { sources } of each) assert.match(sources[0]!, generated);
        const also = each.filter(({ sources }) => sources.length > 1);
        assert.deepEqual(
            also.map(({ file, architecture }) => `${file} ${architecture}`),
            ["1.36.2 amd64", "1.35.4 arm64", "CNI plugins arm64"],
        );
    });
});
