import assert from "node:assert/strict";
import {
    autoscalerFlags,
    type ClusterAutoscalerOptions,
} from "../../../../../cluster/manifests/addons/cluster-autoscaler";

const flags = (options: ClusterAutoscalerOptions) => autoscalerFlags(options, "clusterAutoscaler");

describe("how cluster-autoscaler decides", () => {
    it("default to the flags' own defaults, except for the expander", () =>
        assert.deepEqual(flags({}), {
            "balance-similar-node-groups": "false",
            expander: "least-waste",
            "max-node-provision-time": "900s",
            "scale-down-delay-after-add": "600s",
            "scale-down-unneeded-time": "600s",
            "scale-down-utilization-threshold": "0.5",
            "skip-nodes-with-local-storage": "true",
            "skip-nodes-with-system-pods": "true",
        }));

    it("are passed on", () => {
        const { expander, ...others } = flags({
            expander: "most-pods",
            scaleDownUtilizationThreshold: 70,
            scaleDownUnneededTime: "2m",
            scaleDownDelayAfterAdd: "1h",
            maxNodeProvisionTime: "5m",
            balanceSimilarNodeGroups: true,
            skipNodesWithLocalStorage: false,
            skipNodesWithSystemPods: false,
        });
        assert.equal(expander, "most-pods");
        assert.deepEqual(Object.values(others), ["true", "300s", "3600s", "120s", "0.7", "false", "false"]);
    });

    const refused: [ClusterAutoscalerOptions, string][] = [
        [{ expander: "price" }, "expander must be one of least-waste, most-pods, random (got price)"],
        [
            { scaleDownUtilizationThreshold: 0.5 },
            "scaleDownUtilizationThreshold must be a whole number from 1 to 100 (got 0.5)",
        ],
        [{ scaleDownUnneededTime: "10s" }, "scaleDownUnneededTime must be a duration from 1m to 24h (got 10s)"],
        [{ scaleDownDelayAfterAdd: "7d" }, "scaleDownDelayAfterAdd must be a duration from 1m to 24h (got 7d)"],
        [{ maxNodeProvisionTime: "soon" }, "maxNodeProvisionTime must be a duration from 1m to 1h (got soon)"],
    ];
    for (const [options, message] of refused) {
        it(`is refused: ${message}`, () =>
            assert.throws(() => flags(options), { message: `clusterAutoscaler.${message}` }));
    }
});
