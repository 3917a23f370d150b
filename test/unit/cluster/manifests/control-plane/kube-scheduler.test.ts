import assert from "node:assert/strict";
import { selfHostedPod, temporaryPod } from "../../../../../cluster/manifests/control-plane";
import type { Container } from "../../../../../cluster/manifests/pod";
import { fakeCredentials, fixedCluster } from "../../../components/in-cluster/fixture";
import { golden, goldenChange } from "../../../golden";

const cluster = fixedCluster();

describe("kube-scheduler", () => {
    it("as a static pod is as reviewed", () => {
        golden(__dirname, "kube-scheduler-temporary", temporaryPod(cluster, "kube-scheduler"));
    });

    it("differs as reviewed as a DaemonSet's pod", () => {
        const selfHosted = selfHostedPod(cluster, "kube-scheduler", fakeCredentials(cluster));
        goldenChange(__dirname, "kube-scheduler-self-hosted", temporaryPod(cluster, "kube-scheduler"), selfHosted);
    });

    it("is overridden by extra arguments", () => {
        const extra = fixedCluster({ components: { kubeScheduler: { profiling: "true" } } });
        const [container] = temporaryPod(extra, "kube-scheduler").spec.containers as Container[];
        assert.deepEqual(
            (container!.command as string[]).filter((flag) => flag.startsWith("--profiling")),
            ["--profiling=true"],
        );
    });
});
