import assert from "node:assert/strict";
import { flagFindings, requireLegalFlags } from "../../../../cluster/flags/check";
import { knownFlags, type Program } from "../../../../cluster/flags/known";
import { flagRule } from "../../../../cluster/flags/rules";
import { unknownEntries } from "../../../../cluster/flags/values";
import { kubeletSettings } from "../../../../cluster/kubelet-settings";
import { kubelet } from "../../../../cluster/machines/kubelet/unit";
import { controlPlane } from "../../../../cluster/manifests/control-plane";
import { etcdStaticPod } from "../../../../cluster/manifests/etcd/member";
import type { Container } from "../../../../cluster/manifests/pod";
import type { ClusterOptions } from "../../../../cluster/options";
import { resolveCluster } from "../../../../cluster/resolve";
import { minorOf } from "../../../../cluster/upgrades/version";
import { ETCD_VERSIONS, KUBERNETES_VERSIONS } from "../../../../versions";
import {
    downloads,
    fakeCredentials,
    firstController,
    fixedCluster,
    podSpecOf,
} from "../../components/in-cluster/fixture";

const found = (components: ClusterOptions["components"], kubernetesVersion = "1.36.3") =>
    flagFindings(resolveCluster({ name: "c", kubernetesVersion, components }));

describe("flags of components", () => {
    it("must exist in the desired version, otherwise the nearest one is suggested", () => {
        const { unknown, deprecated } = found({
            kubeApiserver: { "audit-log-maxsiz": "5", v: "2" },
            kubeScheduler: { nonsense: "1" },
            etcd: { "quota-backend-byte": "1" },
        });
        assert.deepEqual(unknown, [
            "components.kubeApiserver.audit-log-maxsiz must be a flag of kube-apiserver 1.36 (got audit-log-maxsiz); nearest: audit-log-maxsize",
            "components.kubeScheduler.nonsense must be a flag of kube-scheduler 1.36 (got nonsense)",
            "components.etcd.quota-backend-byte must be a flag of etcd 3.6 (got quota-backend-byte); nearest: quota-backend-bytes",
        ]);
        assert.deepEqual(deprecated, []);
    });

    it("must not be those of another version, which is reported", () => {
        const components = { kubeApiserver: { "tls-curve-preferences": "X25519" } };
        assert.deepEqual(found(components).unknown, []);
        assert.deepEqual(found(components, "1.35.4").unknown, [
            "components.kubeApiserver.tls-curve-preferences must be a flag of kube-apiserver 1.35 (got tls-curve-preferences); 1.36 and 1.37 have it",
        ]);
    });

    it("must only have values of closed lists that the desired version has", () => {
        const components = {
            kubeApiserver: {
                "feature-gates": "NoSuchGate=true,AnyVolumeDataSource=true",
                "runtime-config": "scheduling.k8s.io/v1alpha1=true,api/beta=true,apps/v1=true",
                "enable-admission-plugins": "PodSecurityPolicy,AlwaysPullImages",
            },
            kubelet: { "feature-gates": "UserNamespacesPodSecurityStandards=false" },
            kubeControllerManager: { controllers: "*,-nosuch,-ttl,-csrapproving" },
        };
        const problems = found(components).unknown;
        const absent = problems.map((problem) => /, without (.*) \(got/.exec(problem)![1]);
        assert.deepEqual(absent, [
            "NoSuchGate",
            "scheduling.k8s.io/v1alpha1",
            "PodSecurityPolicy",
            "nosuch",
            "UserNamespacesPodSecurityStandards",
        ]);
        assert.equal(
            problems[2],
            "components.kubeApiserver.enable-admission-plugins must be a list of what kube-apiserver 1.36 has, without PodSecurityPolicy (got PodSecurityPolicy,AlwaysPullImages)",
        );
    });

    it("must only have values of closed lists that the version of an upgrade has, kubelets' too", () => {
        const components = {
            kubeApiserver: { "runtime-config": "scheduling.k8s.io/v1alpha1=true" },
            kubelet: { "feature-gates": "MemoryManager=true" },
        };
        assert.deepEqual(found(components, "1.35.4").unknown, []);
        assert.deepEqual(found(components).unknown, [
            "components.kubeApiserver.runtime-config must be a list of what kube-apiserver 1.36 has, without scheduling.k8s.io/v1alpha1 (got scheduling.k8s.io/v1alpha1=true); 1.34 and 1.35 have scheduling.k8s.io/v1alpha1",
            "components.kubelet.feature-gates must be a list of what kubelet 1.36 has, without MemoryManager (got MemoryManager=true); 1.34 and 1.35 have MemoryManager",
        ]);
        const later = { kubeApiserver: { "enable-admission-plugins": "PodGroupProtection" } };
        assert.deepEqual(found(later, "1.35.4").unknown, [
            "components.kubeApiserver.enable-admission-plugins must be a list of what kube-apiserver 1.35 has, without PodGroupProtection (got PodGroupProtection); 1.36 and 1.37 have PodGroupProtection",
        ]);
    });

    it("have known values of closed lists in every version that can be chosen", () => {
        const chosen = KUBERNETES_VERSIONS.map((version) => ["kube-apiserver", minorOf(version)] as const);
        for (const [program, minor] of [...chosen, ...ETCD_VERSIONS.map((each) => ["etcd", minorOf(each)] as const)]) {
            const unknown = unknownEntries(program, minor, "feature-gates", "NoSuchGate=true");
            assert.deepEqual(unknown, [{ name: "NoSuchGate", minors: [] }], `${program} ${minor}`);
        }
    });

    it("are warned of when they are deprecated, those too that no help lists", () => {
        const { unknown, deprecated } = found({
            kubeApiserver: { "apiserver-count": "1", "enable-logs-handler": "false" },
            etcd: { "max-snapshots": "3" },
            kubelet: { "max-pods": "200" },
        });
        assert.deepEqual(unknown, []);
        assert.deepEqual(deprecated, [
            "components.kubeApiserver.apiserver-count is deprecated in kube-apiserver 1.36: apiserver-count is deprecated and will be removed in a future version.",
            "components.kubeApiserver.enable-logs-handler is deprecated in kube-apiserver 1.36: Log handler functionality is deprecated",
            "components.etcd.max-snapshots is deprecated in etcd 3.6: Deprecated in v3.6 and will be decommissioned in v3.8.",
        ]);
    });

    it("are taken as they are of a version that is not known", () => {
        const cluster = fixedCluster({ components: { kubeApiserver: { nonsense: "1" } } });
        assert.equal(cluster.versions.kubernetes, "1.99.0");
        assert.deepEqual(flagFindings(cluster), { unknown: [], deprecated: [] });
    });

    it("are refused all at once, unless that is overridden", () => {
        const components = { kubelet: { "max-pod": "1" }, etcd: { nonsense: "1" } };
        const cluster = resolveCluster({ name: "c", kubernetesVersion: "1.36.3", components });
        assert.throws(() => requireLegalFlags(cluster), {
            message: [
                "c can't have these flags:",
                "  components.kubelet.max-pod must be a flag of kubelet 1.36 (got max-pod); nearest: max-pods",
                "  components.etcd.nonsense must be a flag of etcd 3.6 (got nonsense)",
                "To proceed anyway, skip these checks: upgradeOverrides: [flags]",
            ].join("\n"),
        });
        requireLegalFlags({ ...cluster, upgradeOverrides: ["flags"] });
    });
});

/** Every generated command line of a known program, for both kinds of clusters. */
function commandLines(options: Partial<ClusterOptions>): (readonly string[])[] {
    const cluster = resolveCluster({ name: "c", ...options });
    const machine = firstController(cluster);
    const start = { machine, initialCluster: "", initialClusterState: "new" as const };
    const containers = [
        ...[...controlPlane(cluster, fakeCredentials(cluster)), etcdStaticPod(cluster, start)].map(podSpecOf),
    ].flatMap((spec) => (spec?.containers ?? []) as Container[]);
    const { systemd } = kubelet(cluster, {
        ...{ machine, downloads, ca: "", bootstrapToken: "", labels: { a: "b" }, pool: "controller" },
        apiServer: "https://api",
    });
    const unit = systemd!.units!.find(({ name }) => name === "kubelet.service")!.contents!;
    return [
        ...containers.map(({ command = [] }) => command as string[]),
        ["kubelet", ...[...unit.replace(/^ExecStopPost=.*$/m, "").matchAll(/--[a-z][^ \\\n]*/g)].map(([flag]) => flag)],
        ["kubelet", ...kubeletSettings(cluster, "controller").flags],
    ];
}

describe("flags of ours", () => {
    for (const kubernetesVersion of KUBERNETES_VERSIONS) {
        it(`are those of Kubernetes ${kubernetesVersion}, none deprecated and each with a rule`, () => {
            const minors = { etcd: minorOf(ETCD_VERSIONS[0]), kubernetes: minorOf(kubernetesVersion) };
            const seen = new Set<string>();
            for (const options of [
                {},
                { selfHosted: { etcd: true } },
                { selfHosted: { kubelet: true }, keys: { encryption: ["plain", 1], kubernetesCa: [1, 2] } },
                { certificates: { kubeletServing: "verified" }, etcdVersion: ETCD_VERSIONS[0] },
            ] as Partial<ClusterOptions>[]) {
                for (const [program = "", ...flags] of commandLines({ kubernetesVersion, ...options })) {
                    if (!/^(kube-(apiserver|controller-manager|scheduler)|kubelet|etcd)$/.test(program)) continue;
                    const known = knownFlags(program as Program, minors[program === "etcd" ? "etcd" : "kubernetes"]);
                    seen.add(program);
                    for (const flag of flags) {
                        const [, name = flag] = /^--([^=]+)/.exec(flag) ?? [];
                        assert.equal(known!.get(name), "", `${program} ${flag}`);
                        assert.ok(
                            flagRule(program as Program, name),
                            `what may ${program} ${name} be? No rule says so`,
                        );
                    }
                }
            }
            assert.equal(seen.size, 5);
        });
    }
});
