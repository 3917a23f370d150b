import assert from "node:assert/strict";
import { authenticationConfig } from "../../../../../cluster/manifests/control-plane/authentication";
import { shutdownDelaySeconds, watchGraceSeconds } from "../../../../../cluster/manifests/control-plane/haproxy";
import { kubeApiserverPod } from "../../../../../cluster/manifests/control-plane/kube-apiserver";
import { type Container, credentialsPath } from "../../../../../cluster/manifests/pod";
import { componentPodOf, dualStack, fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const cluster = fixedCluster();
const commandOf = (from = cluster) =>
    (kubeApiserverPod(from, "0").spec.containers as Container[])[0]!.command as string[];

describe("kube-apiserver", () => {
    it("is as reviewed", () => {
        golden(__dirname, "kube-apiserver", componentPodOf(cluster, "kube-apiserver"));
    });

    it("gives services addresses of both families, IPv4 first", () => {
        const flags = commandOf(fixedCluster({ network: dualStack }));
        assert.ok(flags.includes("--service-cluster-ip-range=10.3.0.0/16,fd00:10:3::/112"));
    });

    it("is overridden by extra arguments, with each flag set once", () => {
        const command = commandOf(fixedCluster({ components: { kubeApiserver: { profiling: "true", v: "4" } } }));
        assert.deepEqual(
            command.filter((flag) => /^--(profiling|v)=/.test(flag)),
            ["--profiling=true", "--v=4"],
        );
        assert.ok(commandOf().includes("--profiling=false"));
    });

    it("keeps NodeRestriction next to other admission plugins", () => {
        const components = { kubeApiserver: { "enable-admission-plugins": "AlwaysPullImages" } };
        const plugins = commandOf(fixedCluster({ components })).filter((flag) => flag.includes("admission-plugins"));
        assert.deepEqual(plugins, [
            "--enable-admission-plugins=NodeRestriction,EventRateLimit,DenyServiceExternalIPs,AlwaysPullImages",
        ]);
    });

    it("verifies kubelet certificates only if all of them are issued by the cluster", () => {
        const flag = `--kubelet-certificate-authority=${credentialsPath}/ca.crt`;
        const has = (kubeletServing: string) =>
            commandOf(fixedCluster({ certificates: { kubeletServing } })).includes(flag);
        assert.deepEqual(["own", "issued", "verified"].map(has), [false, false, true]);
    });

    it("authorizes nodes as nodes, and admits machines by bootstrap tokens", () => {
        for (const flag of [
            "--authorization-mode=Node,RBAC",
            "--enable-admission-plugins=NodeRestriction,EventRateLimit,DenyServiceExternalIPs",
            "--enable-bootstrap-token-auth=true",
        ]) {
            assert.ok(commandOf().includes(flag), flag);
        }
    });

    it("answers strangers only about its health", () => {
        golden(__dirname, "authentication-config", authenticationConfig());
    });

    it("never binds the address that generations share, which is HAProxy's", () => {
        const { address, spec } = componentPodOf(cluster, "kube-apiserver");
        const [apiserver] = spec.containers as Container[];
        assert.ok((apiserver!.command as string[]).includes(`--bind-address=${address}`));
    });

    it("has time to drain before the kubelet kills it", () => {
        const { spec } = componentPodOf(cluster, "kube-apiserver");
        const [, hardStop] = /hard-stop-after (\d+)s/.exec(JSON.stringify(spec))!;
        const grace = spec.terminationGracePeriodSeconds as number;
        assert.ok(grace > Number(hardStop), `${grace} s of grace, hard stop after ${hardStop} s`);
        assert.ok(grace > shutdownDelaySeconds + watchGraceSeconds);
    });
});
