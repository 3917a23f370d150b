import assert from "node:assert/strict";
import { publishedCniPlugins, publishedKubelet } from "../../../cluster/downloads";

describe("what is published", () => {
    it("is the kubelet of a version and an architecture", () => {
        assert.equal(publishedKubelet("1.35.4", "arm64"), "https://dl.k8s.io/v1.35.4/bin/linux/arm64/kubelet");
    });

    it("is an archive of CNI plugins for each architecture, by its checksum", () => {
        const [amd64, arm64] = [publishedCniPlugins("amd64"), publishedCniPlugins("arm64")];
        assert.match(amd64.urls[0]!, /cni-plugins-linux-amd64-v\d+\.\d+\.\d+\.tgz$/);
        assert.ok(amd64.urls[0]!.includes(`v${amd64.version}`));
        assert.match(arm64.sha256, /^[0-9a-f]{64}$/);
        assert.notEqual(amd64.sha256, arm64.sha256);
    });
});
