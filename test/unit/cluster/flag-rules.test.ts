import assert from "node:assert/strict";
import { flagFindings, programs, refusedFlags, requireLegalFlags } from "../../../cluster/flags/check";
import type { FlagTable, Program } from "../../../cluster/flags/known";
import table from "../../../cluster/flags/known-flags.json";
import { flagRules, matches } from "../../../cluster/flags/rules";
import type { ClusterOptions } from "../../../cluster/options";
import { resolveCluster } from "../../../cluster/resolve";
import { dualStack } from "../components/in-cluster/fixture";

const resolved = (components: ClusterOptions["components"], others: Partial<ClusterOptions> = {}) =>
    resolveCluster({ name: "c", components, ...others });
const refused = (...args: Parameters<typeof resolved>) => refusedFlags(resolved(...args));

const componentOf = (program: Program) =>
    (Object.keys(programs) as (keyof typeof programs)[]).find((component) => programs[component] === program)!;
const known = (program: Program) =>
    (table as FlagTable)[program]!.flatMap(({ flags }) => flags.map((flag) => flag.split(": ")[0]!));

/** Flags that would cost a cluster its protection or identity: the rules must cover them. */
const mustBeOwned: Readonly<Record<Program, readonly string[]>> = {
    "kube-apiserver": [
        ..."authorization-mode authorization-config authorization-webhook-config-file anonymous-auth authentication-config".split(
            " ",
        ),
        ..."token-auth-file authentication-token-webhook-config-file client-ca-file tls-cert-file tls-private-key-file".split(
            " ",
        ),
        ..."oidc-issuer-url oidc-client-id oidc-ca-file oidc-username-claim oidc-groups-claim oidc-required-claim".split(
            " ",
        ),
        ..."etcd-servers etcd-cafile etcd-certfile etcd-keyfile etcd-prefix".split(" "),
        ..."service-account-issuer service-account-key-file service-account-signing-key-file service-account-lookup".split(
            " ",
        ),
        ..."service-cluster-ip-range requestheader-client-ca-file requestheader-allowed-names proxy-client-cert-file".split(
            " ",
        ),
        ..."kubelet-client-certificate kubelet-client-key kubelet-certificate-authority admission-control".split(" "),
        ..."secure-port bind-address advertise-address enable-bootstrap-token-auth allow-privileged debug-socket-path".split(
            " ",
        ),
        ..."emulated-version min-compatibility-version service-account-jwks-uri".split(" "),
    ],
    "kube-controller-manager": [
        ..."cluster-cidr service-cluster-ip-range root-ca-file cluster-signing-cert-file cluster-signing-key-file".split(
            " ",
        ),
        ..."cluster-signing-kubelet-client-cert-file service-account-private-key-file use-service-account-credentials".split(
            " ",
        ),
        ..."kubeconfig master authentication-kubeconfig authorization-kubeconfig authentication-skip-lookup".split(" "),
        ..."bind-address secure-port client-ca-file tls-cert-file leader-elect leader-elect-resource-name cluster-name".split(
            " ",
        ),
    ],
    "kube-scheduler": [
        ..."kubeconfig master authentication-kubeconfig authorization-kubeconfig leader-elect bind-address".split(" "),
        ..."secure-port client-ca-file requestheader-client-ca-file tls-cert-file tls-private-key-file".split(" "),
    ],
    kubelet: [
        ..."anonymous-auth authorization-mode authentication-token-webhook read-only-port client-ca-file kubeconfig".split(
            " ",
        ),
        ..."bootstrap-kubeconfig rotate-certificates pod-manifest-path node-labels register-with-taints cluster-dns".split(
            " ",
        ),
        ..."cluster-domain hostname-override node-ip tls-cert-file cert-dir config config-dir port register-node".split(
            " ",
        ),
    ],
    etcd: [
        ..."data-dir cert-file key-file trusted-ca-file client-cert-auth peer-client-cert-auth auto-tls".split(" "),
        ..."listen-client-urls listen-peer-urls advertise-client-urls initial-cluster initial-cluster-state".split(" "),
        ..."initial-cluster-token config-file force-new-cluster unsafe-no-fsync name".split(" "),
    ],
    "kube-proxy": "config kubeconfig master cluster-cidr proxy-mode hostname-override cleanup".split(" "),
    coredns: "conf p plugins".split(" "),
    flannel: "kube-subnet-mgr net-config-path iface public-ip ip-masq kubeconfig-file etcd-endpoints".split(" "),
    "kube-router": "run-firewall run-router enable-cni metrics-addr service-cluster-ip-range kubeconfig".split(" "),
};

describe("flags of add-ons", () => {
    const images = { kubeRouter: "registry.example/kube-router:latest" };

    it("require that the cluster has the add-on", () => {
        assert.deepEqual(refused({ flannel: { v: "2" } }, { network: { cni: "none" } }), [
            "components.flannel requires cni: flannel (got none)",
        ]);
        assert.deepEqual(refused({ kubeProxy: { v: "2" } }, { network: { cni: "none", kubeProxyMode: "none" } }), [
            "components.kubeProxy requires kubeProxyMode: nftables or iptables (got none)",
        ]);
        assert.deepEqual(refused({ kubeRouter: { v: "2" } }, { network: { networkPolicies: "ignored" } }), [
            "components.kubeRouter requires cni: kube-router or networkPolicies: enforced",
        ]);
        assert.deepEqual(refused({ kubeRouter: { v: "2" } }, { network: { networkPolicies: "enforced" } }), []);
    });

    it("are those of the image's version, if that is known", () => {
        const [problem = ""] = flagFindings(resolved({ kubeRouter: { "hairpin-mod": "true" } })).unknown;
        assert.match(problem, /a flag of kube-router 2\.\d+ \(got hairpin-mod\); nearest: hairpin-mode$/);
        const own = resolved({ kubeRouter: { "hairpin-mod": "true" } }, { images });
        assert.deepEqual(flagFindings(own).unknown, []);
        assert.deepEqual(flagFindings(resolved({ kubeProxy: { "nodeport-addresses": "primary" } })).unknown, []);
    });

    it("may not open node ports at loopback addresses that policies do not cover", () => {
        const open = { kubeProxy: { "iptables-localhost-nodeports": "true" } };
        const enforced = { network: { networkPolicies: "enforced", kubeProxyMode: "iptables" } };
        assert.match(refused(open, enforced)[0] ?? "", /must be false while networkPolicies are enforced \(got true\)/);
        assert.deepEqual(refused(open, { network: { kubeProxyMode: "iptables", networkPolicies: "ignored" } }), []);
    });
});

describe("flags with a rule", () => {
    for (const [program, rules] of Object.entries(flagRules) as [Program, (typeof flagRules)[Program]][]) {
        it(`of ${program} are flags that it has, each with one rule`, () => {
            for (const pattern of Object.keys(rules)) {
                assert.ok(
                    known(program).some((flag) => matches(pattern, flag)),
                    `${program} has no ${pattern}`,
                );
            }
            for (const flag of known(program)) {
                const patterns = Object.keys(rules).filter((pattern) => matches(pattern, flag));
                assert.ok(patterns.length < 2, `${flag}: ${patterns}`);
            }
        });

        it(`of ${program} are refused where Tradewind needs them, with the reason`, () => {
            for (const flag of mustBeOwned[program]) {
                const component = componentOf(program);
                const [problem = "", ...others] = refused({ [component]: { [flag]: "x" } });
                assert.ok(problem.startsWith(`components.${component}.${flag} cannot be set (got x): `), flag);
                assert.match(problem, /; (use |there is no option for it)/);
                assert.deepEqual(others, []);
            }
        });
    }
});

const someFiles: Partial<ClusterOptions> = {
    controlPlaneFiles: { kubeApiserver: { files: { "a.yaml": "" }, secretFiles: ["b.yaml"] } },
};

describe("values of flags", () => {
    const most = "between 1 and 253, the addresses for pods in a node's /24";
    const why = "each pod of a node needs an address of the node's block";
    const masks = "the blocks must be large enough for a node's pods and numerous enough for all nodes";
    for (const [title, components, expected, others] of [
        [
            "NodeRestriction switched off",
            { kubeApiserver: { "disable-admission-plugins": "PodSecurity, noderestriction" } },
            /must be a list without NodeRestriction \(got PodSecurity, noderestriction\)/,
        ],
        ["events with another limit", { kubelet: { "event-qps": "100" } }],
        [
            "events with what is a limit in one Kubernetes version and none in the next",
            { kubelet: { "event-qps": "0" } },
            /^components\.kubelet\.event-qps must be 1 or more \(got 0\)/,
        ],
        [
            "plugins that no cluster needs switched off",
            { kubeApiserver: { "disable-admission-plugins": "DefaultStorageClass" } },
        ],
        [
            "Pod Security switched off, which an option configures",
            { kubeApiserver: { "disable-admission-plugins": "podsecurity" } },
            /must be a list without PodSecurity, which is configured by podSecurity \(enforce, audit and warn: privileged\) \(got/,
        ],
        [
            "limits of events switched off",
            { kubeApiserver: { "disable-admission-plugins": "EventRateLimit" } },
            /which is configured by eventRateLimit/,
        ],
        [
            "external addresses of Services switched on",
            { kubeApiserver: { "disable-admission-plugins": "DenyServiceExternalIPs" } },
            /which is configured by externalIPs/,
        ],
        [
            "plugins that options have switched off",
            { kubeApiserver: { "disable-admission-plugins": "PodSecurity,EventRateLimit,DenyServiceExternalIPs" } },
            undefined,
            {
                podSecurity: { enforce: "privileged", audit: "privileged", warn: "privileged" },
                eventRateLimit: { server: 0, namespace: 0 },
                externalIPs: "allowed",
            },
        ],
        ...(
            [
                ["kubeApiserver", "AuthorizeNodeWithSelectors=false"],
                ["kubeApiserver", "kube:UnauthenticatedHTTP2DOSMitigation=false"],
                ["kubeApiserver", "AllowInsecureKubeletCertificateSigningRequests=1"],
                ["kubeApiserver", "AllBeta=false"],
                ["kubelet", "RotateKubeletServerCertificate=f"],
                ["etcd", "InitialCorruptCheck=false"],
            ] as const
        ).map(([component, gate]) => [
            `a gate that removes a protection: ${gate}`,
            { [component]: { "feature-gates": `KubeletPSI=true,${gate}` } },
            new RegExp(`must be a list without ${gate}, which removes a protection`),
        ]),
        [
            "a gate that protects",
            { kubeApiserver: { "feature-gates": "AuthorizeNodeWithSelectors=true,AllBeta=true" } },
        ],
        [
            "a gate that is neither on nor off",
            { kubelet: { "feature-gates": "KubeletPSI=yes" } },
            /must be a list of <gate>=true or <gate>=false \(wrong: KubeletPSI=yes\)/,
        ],
        [
            "policies switched off by their resource",
            {
                kubeApiserver: {
                    "runtime-config": "admissionregistration.k8s.io/v1/validatingadmissionpolicies=false",
                },
            },
            /must be a list without admissionregistration/,
        ],
        [
            "a plugin that refuses all",
            { kubeApiserver: { "enable-admission-plugins": "AlwaysDeny" } },
            /without AlwaysDeny/,
        ],
        [
            "fairness switched off",
            { kubeApiserver: { "enable-priority-and-fairness": "false" } },
            /must be true \(got false\)/,
        ],
        [
            "garbage collection switched off",
            { kubeControllerManager: { "enable-garbage-collector": "false" } },
            /must be true \(got false\)/,
        ],
        ["a profile of etcd", { etcd: { "enable-pprof": "true" } }, /must be false \(got true\)/],
        [
            "an insecure cipher suite",
            { kubelet: { "tls-cipher-suites": "TLS_RSA_WITH_RC4_128_SHA" } },
            /must be a list without TLS_RSA_WITH_RC4_128_SHA/,
        ],
        [
            "a cipher suite that TLS 1.2 of HTTP/2 can't do without",
            { kubeScheduler: { "tls-cipher-suites": "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,TLS_AES_128_GCM_SHA256" } },
            /must be a list that includes TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 or TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 \(got/,
        ],
        [
            "a space in a list of cipher suites",
            { kubeApiserver: { "tls-cipher-suites": "TLS_AES_128_GCM_SHA256, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256" } },
            /must be a list without " TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256" \(got/,
        ],
        [
            "a comma after the last cipher suite",
            { kubelet: { "tls-cipher-suites": "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256," } },
            /must be a list without "" \(got/,
        ],
        ["cipher suites of HTTP/2", { kubelet: { "tls-cipher-suites": "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256" } }],
        ["cipher suites", { etcd: { "cipher-suites": "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256" } }],
        [
            "thresholds of eviction without a unit of their own",
            { kubelet: { "eviction-hard": "memory<1" } },
            /must be a list of thresholds such as memory.available<100Mi \(wrong: memory<1\)/,
        ],
        ["thresholds of eviction", { kubelet: { "eviction-hard": "memory.available<5%,nodefs.inodesFree<1000" } }],
        ["a plugin more", { kubeApiserver: { "enable-admission-plugins": "AlwaysPullImages" } }],
        [
            "stable APIs switched off",
            { kubeApiserver: { "runtime-config": "api/beta=true, rbac.authorization.k8s.io/v1=false" } },
            /must be a list without rbac.authorization.k8s.io\/v1=false/,
        ],
        ["beta APIs switched on", { kubeApiserver: { "runtime-config": "api/beta=true" } }],
        [
            "a gate twice in different cases",
            { kubelet: { "feature-gates": "KubeletPSI=true,kubeletpsi=false" } },
            /must be a list that names kubeletpsi once/,
        ],
        [
            "old TLS",
            { kubeApiserver: { "tls-min-version": "VersionTLS10" } },
            /must be VersionTLS12 or VersionTLS13 \(got VersionTLS10\)/,
        ],
        ["new TLS", { kubeApiserver: { "tls-min-version": "VersionTLS13" }, etcd: { "tls-min-version": "TLS1.3" } }],
        [
            "tokens of pods for others alone",
            { kubeApiserver: { "api-audiences": "sts.example" } },
            /must be a list that includes https:\/\/kubernetes.default.svc.cluster.local \(got sts.example\)/,
        ],
        [
            "tokens of pods for others too",
            { kubeApiserver: { "api-audiences": "https://kubernetes.default.svc.cluster.local,sts.example" } },
        ],
        [
            "probes shut out",
            { kubeScheduler: { "authorization-always-allow-paths": "/metrics" } },
            /must be a list that includes \/healthz, \/readyz, \/livez \(got \/metrics\)/,
        ],
        [
            "a needed controller switched off",
            { kubeControllerManager: { controllers: "*,-csrsigning,-ttl" } },
            /must be a list without -csrsigning \(got/,
        ],
        [
            "the same by its other name",
            { kubeControllerManager: { controllers: "-node-ipam-controller" } },
            /must be a list without -node-ipam-controller \(got/,
        ],
        ["the signer switched off, which is off", { kubeControllerManager: { controllers: "-bootstrapsigner" } }],
        ["another controller switched off", { kubeControllerManager: { controllers: "-csrapproving" } }],
        [
            "spaces before a value",
            { kubelet: { v: " 2" } },
            /components.kubelet.v must be text without leading or trailing spaces \(got " 2"\)/,
        ],
        ["an empty value", { kubeApiserver: { "tls-cipher-suites": "" } }],
        [
            "more pods than addresses",
            { kubelet: { "max-pods": "254" } },
            `components.kubelet.max-pods must be ${most} (got 254): ${why}`,
        ],
        [
            "pods that are no number",
            { kubelet: { "max-pods": "many" } },
            `components.kubelet.max-pods must be ${most} (got many): ${why}`,
        ],
        ["as many pods as addresses", { kubelet: { "max-pods": "253" } }],
        [
            "larger blocks for more pods",
            { kubelet: { "max-pods": "500" }, kubeControllerManager: { "node-cidr-mask-size": "23" } },
        ],
        [
            "blocks too small for the default of pods",
            { kubeControllerManager: { "node-cidr-mask-size": "26" } },
            `components.kubeControllerManager.node-cidr-mask-size must be between 17 and 25, for 1 node in 10.2.0.0/16 with 110 pods each (got 26): ${masks}`,
        ],
        [
            "blocks too large for the nodes",
            { kubeControllerManager: { "node-cidr-mask-size": "23" } },
            /must be between 24 and 25, for 3 nodes in 10.2.0.0\/22/,
            { controllers: { count: 3 }, network: { podCidr: "10.2.0.0/22" } },
        ],
        [
            "small blocks for few pods",
            { kubelet: { "max-pods": "60" }, kubeControllerManager: { "node-cidr-mask-size-ipv4": "26" } },
        ],
        [
            "two sizes of one block",
            { kubeControllerManager: { "node-cidr-mask-size": "24", "node-cidr-mask-size-ipv4": "24" } },
            /must be unset when the other of/,
        ],
        [
            "blocks by IPv6 without IPv6",
            { kubeControllerManager: { "node-cidr-mask-size-ipv6": "64" } },
            /must be unset without podCidr6 \(got 64\)/,
        ],
        [
            "blocks by IPv6",
            { kubeControllerManager: { "node-cidr-mask-size-ipv6": "64" } },
            undefined,
            { network: dualStack },
        ],
        [
            "blocks by IPv6 that are too large",
            { kubeControllerManager: { "node-cidr-mask-size-ipv6": "56" } },
            /must be between 57 and 72, for 1 node in fd00:10:2::\/56/,
            { network: dualStack },
        ],
        [
            "one size for both families",
            { kubeControllerManager: { "node-cidr-mask-size": "24" } },
            /use node-cidr-mask-size-ipv4 and node-cidr-mask-size-ipv6 \(got 24\)/,
            { network: dualStack },
        ],
        [
            "a file that does not exist",
            { kubeApiserver: { "admission-control-config-file": "/etc/kubernetes/admission.yaml" } },
            "components.kubeApiserver.admission-control-config-file must be one of /etc/kubernetes/files/<name>, /etc/kubernetes/secret-files/<name> (got /etc/kubernetes/admission.yaml): the file must be one of `controlPlaneFiles.kubeApiserver`",
        ],
        [
            "a file of another component",
            { kubeControllerManager: { "leader-migration-config": "/etc/kubernetes/files/a.yaml" } },
            /must be one of/,
            someFiles,
        ],
        ["a file", { kubeApiserver: { "tracing-config-file": "/etc/kubernetes/files/a.yaml" } }, undefined, someFiles],
        [
            "a secret file",
            { kubeApiserver: { "audit-webhook-config-file": "/etc/kubernetes/secret-files/b.yaml" } },
            undefined,
            someFiles,
        ],
        [
            "an encryption configuration next to the stack's keys",
            { kubeApiserver: { "encryption-provider-config": "/etc/kubernetes/secret-files/b.yaml" } },
            /must be unset when keys.encryption is not plain/,
            { ...someFiles, keys: { encryption: [1] } },
        ],
        [
            "an encryption configuration instead of the stack's keys",
            { kubeApiserver: { "encryption-provider-config": "/etc/kubernetes/secret-files/b.yaml" } },
            undefined,
            { ...someFiles, keys: { encryption: ["plain"] } },
        ],
        [
            "a scheduler without a kubeconfig",
            { kubeScheduler: { config: "/etc/kubernetes/files/a.yaml" } },
            /must be a file with \/etc\/kubernetes\/secrets\/kubeconfig as clientConnection.kubeconfig/,
            { controlPlaneFiles: { kubeScheduler: { files: { "a.yaml": "profiles: []" } } } },
        ],
        [
            "a scheduler with a kubeconfig",
            { kubeScheduler: { config: "/etc/kubernetes/files/a.yaml" } },
            undefined,
            {
                controlPlaneFiles: {
                    kubeScheduler: {
                        files: { "a.yaml": "clientConnection: {kubeconfig: /etc/kubernetes/secrets/kubeconfig}" },
                    },
                },
            },
        ],
        [
            "another path of the audit log",
            { kubeApiserver: { "audit-log-path": "-" } },
            /must be unset when auditLog is on \(got -\)/,
        ],
        ["a path of the own audit log", { kubeApiserver: { "audit-log-path": "-" } }, undefined, { auditLog: false }],
    ] as [string, ClusterOptions["components"], (string | RegExp)?, Partial<ClusterOptions>?][]) {
        it(`are ${expected ? "refused" : "taken"}: ${title}`, () => {
            const problems = refused(components, others);
            if (expected === undefined) return assert.deepEqual(problems, []);
            assert.match(problems[0] ?? "", /^components\./);
            if (typeof expected === "string") assert.equal(problems[0], expected);
            else assert.match(problems[0]!, expected);
        });
    }
});

describe("a cluster with flags that it can't have", () => {
    it("is refused with all of them, which nothing overrides", () => {
        const cluster = resolved(
            { kubeApiserver: { "authorization-mode": "AlwaysAllow", "service-cluster-ip-range": "10.0.0.0/16" } },
            { upgradeOverrides: ["flags"] },
        );
        assert.throws(() => requireLegalFlags(cluster), {
            message: [
                "c can't have these flags:",
                "  components.kubeApiserver.authorization-mode cannot be set (got AlwaysAllow): Node and RBAC authorization restrict nodes to their own pods; there is no option for it",
                "  components.kubeApiserver.service-cluster-ip-range cannot be set (got 10.0.0.0/16): it cannot be changed after creation; use serviceCidr and serviceCidr6",
                "Change these values, or remove the flags from `components`: nothing overrides this (docs/flags.md)",
            ].join("\n"),
        });
    });

    for (const component of ["kubeApiserver", "kubeControllerManager", "kubeScheduler", "kubelet"] as const) {
        it(`has a cipher suite and a TLS version that ${programs[component]} knows`, () => {
            const flags = { "tls-cipher-suites": "TLS_NO_SUCH_SUITE", "tls-min-version": "VersionTLS14" };
            const [suite, version] = refused({ [component]: flags });
            assert.match(
                suite!,
                /tls-cipher-suites must be a list without TLS_NO_SUCH_SUITE \(got TLS_NO_SUCH_SUITE\)/,
            );
            assert.match(version!, /tls-min-version must be VersionTLS12 or VersionTLS13 \(got VersionTLS14\)/);
        });
    }

    it("is refused for every version, whether or not this release knows its flags", () => {
        const cluster = { ...resolved({ kubelet: { "anonymous-auth": "true" } }) };
        const unknown = { ...cluster, versions: { ...cluster.versions, kubernetes: "1.99.0" } };
        assert.deepEqual(flagFindings(unknown).unknown, []);
        assert.equal(refusedFlags(unknown).length, 1);
    });

    for (const flag of [
        "anonymous_auth",
        "Anonymous-Auth",
        " anonymous-auth",
        "--anonymous-auth",
        "anonymous-auth=true",
    ]) {
        it(`can't be had by another spelling: ${flag}`, () => {
            assert.throws(
                () => resolved({ kubelet: { [flag]: "true" } }),
                /must be a flag name without leading dashes/,
            );
        });
    }
});
