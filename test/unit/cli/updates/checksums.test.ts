import assert from "node:assert/strict";
import { checksumsOf } from "../../../../cli/updates/command";
import type { StackFile } from "../../../../cli/updates/stack-file";

const file = (...ownKubelets: StackFile["ownKubelets"]): StackFile => ({
    ...{ path: "Pulumi.c.yaml", text: "", channel: "minor", ownKubelets, ownUrls: [] },
});
const [a, b] = ["a".repeat(64), "b".repeat(64)];
const to = "1.36.3";

describe("the hashes of a new version's kubelets", () => {
    it("are the given ones, or downloaded once each", async () => {
        const asked: string[] = [];
        const fetchOne = async (url: string) => {
            asked.push(url);
            return b;
        };
        const changes = [
            { file: file("amd64", "arm64"), to },
            { file: file("arm64"), to },
        ];
        const found = await checksumsOf(changes, { checksums: { amd64: a }, isFetch: true }, fetchOne);
        assert.deepEqual(found, { [to]: { amd64: a, arm64: b } });
        assert.deepEqual(asked, ["https://dl.k8s.io/v1.36.3/bin/linux/arm64/kubelet.sha256"]);
    });

    it("are not needed for a local stack", async () => {
        assert.deepEqual(await checksumsOf([{ file: file(), to }], { checksums: {}, isFetch: false }), {});
    });

    it("are all listed if missing", async () => {
        await assert.rejects(
            checksumsOf([{ file: file("amd64", "arm64"), to }], { checksums: {}, isFetch: false }),
            /kubelet\.sha256 must change for 1\.36\.3; set --kubelet-sha256 to .*\n {2}curl .*amd64\/kubelet\.sha256\n.*set --kubelet-sha256-arm64 to .*\n {2}curl .*arm64\/kubelet\.sha256\nor use --fetch-checksums/,
        );
    });

    it("must be for a single version if given", async () => {
        const changes = ["1.35.5", to].map((each) => ({ file: file("amd64"), to: each }));
        await assert.rejects(
            checksumsOf(changes, { checksums: { amd64: a }, isFetch: false }),
            /--kubelet-sha256 applies to a single new version, got 1\.35\.5 and 1\.36\.3/,
        );
    });
});
