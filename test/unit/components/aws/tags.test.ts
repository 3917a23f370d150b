import assert from "node:assert/strict";
import { resolveAws } from "../../../../components/aws/resolve";
import { clusterTags, withoutClusterTag } from "../../../../components/aws/tags";

describe("tags", () => {
    const { cluster, aws } = resolveAws("c", {
        domain: "example.com",
        region: "eu-central-1",
        tags: { a: "b" },
    });
    const tags = clusterTags(cluster, aws)("c-nodes");

    it("name the cluster of a resource, and include the user's own", () => {
        const own = { Name: "c-nodes", "tradewind.dev/cluster": "c", "kubernetes.io/cluster/c": "owned" };
        assert.deepEqual(tags, { a: "b", ...own });
    });

    it("leave out that of cloud controllers for what is not theirs", () => {
        assert.deepEqual(withoutClusterTag("c", tags), { a: "b", Name: "c-nodes", "tradewind.dev/cluster": "c" });
    });
});
