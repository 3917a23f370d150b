import assert from "node:assert/strict";
import { addedPlugins, admissionConfiguration, resolveAdmission } from "../../../cluster/admission";
import { resolveDefaults } from "../../../cluster/defaults";
import { controlPlane } from "../../../cluster/manifests/control-plane";
import { plainFiles } from "../../../cluster/manifests/control-plane/files";
import { placeholderCredentials } from "../../../cluster/manifests/control-plane/placeholder";
import type { ClusterOptions } from "../../../cluster/options";
import { fixedCluster } from "../components/in-cluster/fixture";

type Options = Pick<ClusterOptions, "podSecurity" | "eventRateLimit" | "externalIPs">;
const secure = (options: Options = {}) => resolveAdmission(options, resolveDefaults(2));
const earlier = (options: Options = {}) => resolveAdmission(options, resolveDefaults(1));
const noLimits = { server: 0, namespace: 0 };

/** Configurations of plugins by name. */
function pluginsOf(admission: ReturnType<typeof secure>): Record<string, Record<string, unknown>> {
    const { plugins = [] } = (admissionConfiguration(admission) ?? {}) as { plugins?: PluginShape[] };
    return Object.fromEntries(plugins.map(({ name, configuration }) => [name, configuration]));
}

interface PluginShape {
    readonly name: string;
    readonly configuration: Record<string, unknown>;
}

describe("kube-apiserver's admission plugins", () => {
    it("enforce baseline and warn about restricted, except in kube-system", () => {
        const { PodSecurity } = pluginsOf(secure());
        assert.deepEqual(PodSecurity!.defaults, { enforce: "baseline", audit: "restricted", warn: "restricted" });
        assert.deepEqual(PodSecurity!.exemptions, { namespaces: ["kube-system"] });
    });

    it("limit events of all namespaces and of each", () => {
        const { EventRateLimit } = pluginsOf(secure());
        assert.deepEqual(EventRateLimit!.limits, [
            { type: "Server", qps: 200, burst: 2000 },
            { type: "Namespace", qps: 50, burst: 500, cacheSize: 4096 },
        ]);
        assert.equal("EventRateLimit" in pluginsOf(secure({ eventRateLimit: noLimits })), false);
        const { EventRateLimit: some } = pluginsOf(secure({ eventRateLimit: { server: 0, namespace: 7 } }));
        assert.deepEqual(some!.limits, [{ type: "Namespace", qps: 7, burst: 70, cacheSize: 4096 }]);
    });

    it("are as Kubernetes has them with defaults of earlier releases, and if turned off", () => {
        const privileged = { enforce: "privileged", audit: "privileged", warn: "privileged" };
        assert.equal(admissionConfiguration(earlier()), undefined);
        assert.equal(admissionConfiguration(secure({ podSecurity: privileged, eventRateLimit: noLimits })), undefined);
    });

    it("deny Services addresses of others, unless allowed", () => {
        assert.ok(addedPlugins(secure()).includes("DenyServiceExternalIPs"));
        assert.deepEqual(addedPlugins(secure({ externalIPs: "allowed" })), ["NodeRestriction", "EventRateLimit"]);
        assert.deepEqual(addedPlugins(earlier()), ["NodeRestriction"]);
        assert.throws(() => secure({ externalIPs: "some" }), /externalIPs must be one of denied, allowed, got some/);
    });

    it("can be configured one by one", () => {
        const exempt = { enforce: "restricted", exemptNamespaces: ["logs", "kube-system"] };
        assert.deepEqual(pluginsOf(earlier({ podSecurity: exempt })), {
            PodSecurity: {
                apiVersion: "pod-security.admission.config.k8s.io/v1",
                kind: "PodSecurityConfiguration",
                defaults: { enforce: "restricted", audit: "privileged", warn: "privileged" },
                exemptions: { namespaces: ["kube-system", "logs"] },
            },
        });
    });

    const refused: readonly (readonly [Options, string])[] = [
        [
            { podSecurity: { enforce: "strict" } },
            "podSecurity.enforce must be one of privileged, baseline, restricted, got strict",
        ],
        [{ podSecurity: { exemptNamespaces: ["Logs"] } }, "podSecurity.exemptNamespaces[0] must be a DNS label"],
        [{ eventRateLimit: { server: -1 } }, "eventRateLimit.server must be a whole number from 0 to 100000, got -1"],
        [{ eventRateLimit: { namespace: 0.5 } }, "eventRateLimit.namespace must be a whole number from 0 to 100000"],
    ];
    for (const [options, message] of refused) {
        it(`are refused as ${JSON.stringify(options)}`, () =>
            assert.throws(
                () => secure(options),
                (error: Error) => error.message.startsWith(message),
            ));
    }
});

describe("kube-apiserver's pods", () => {
    const pod = (options: Partial<ClusterOptions>) => {
        const cluster = fixedCluster(options);
        const all = controlPlane(cluster, placeholderCredentials(cluster)) as unknown as {
            kind: string;
            metadata: { name: string };
            stringData?: Record<string, string>;
            data?: Record<string, string>;
            spec?: { template: { spec: { containers: { command: string[] }[] } } };
        }[];
        const of = (kind: string) => all.find((each) => each.kind === kind && each.metadata.name === "kube-apiserver")!;
        const files = of("Secret");
        return {
            secrets: Object.keys(files.stringData ?? files.data ?? {}),
            files: Object.keys(plainFiles(cluster, "kube-apiserver")),
            flags: of("DaemonSet").spec!.template.spec.containers[0]!.command,
        };
    };
    const file = "--admission-control-config-file=/etc/kubernetes/files/tradewind-admission.json";
    const tokens = "--service-account-extend-token-expiration=false";

    it("have the configuration as a file that previews show, the plugin for events, and tokens that expire", () => {
        const { files, secrets, flags } = pod({});
        assert.ok(files.includes("tradewind-admission.json"));
        assert.ok(!secrets.join().includes("admission"));
        const plugins = "--enable-admission-plugins=NodeRestriction,EventRateLimit,DenyServiceExternalIPs";
        for (const flag of [file, tokens, plugins]) {
            assert.ok(flags.includes(flag), `${flag} in ${flags.join(" ")}`);
        }
    });

    it("are those of earlier releases with their defaults", () => {
        const { files, flags } = pod({ defaults: 1 });
        assert.deepEqual(files, []);
        assert.ok(flags.includes("--enable-admission-plugins=NodeRestriction"));
        for (const prefix of [file, tokens, "--encryption-provider-config", "--kubelet-certificate-authority"]) {
            assert.ok(!flags.some((flag) => flag.startsWith(prefix)), prefix);
        }
    });

    it("have long tokens if asked", () => {
        const extended = { "service-account-extend-token-expiration": "true" };
        assert.ok(!pod({ components: { kubeApiserver: extended } }).flags.includes(tokens));
    });
});
