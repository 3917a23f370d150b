import assert from "node:assert/strict";
import type { Container } from "../../../../../cluster/manifests/pod";
import { componentPodOf, fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const cluster = fixedCluster();

describe("kube-scheduler", () => {
    it("is as reviewed", () => {
        golden(__dirname, "kube-scheduler", componentPodOf(cluster, "kube-scheduler"));
    });

    it("is overridden by extra arguments", () => {
        const extra = fixedCluster({ components: { kubeScheduler: { profiling: "true" } } });
        const [container] = componentPodOf(extra, "kube-scheduler").spec.containers as Container[];
        assert.deepEqual(
            (container!.command as string[]).filter((flag) => flag.startsWith("--profiling")),
            ["--profiling=true"],
        );
    });
});
