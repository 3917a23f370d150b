import assert from "node:assert/strict";
import { addedPlugins, admissionConfiguration, resolveAdmission } from "../../../cluster/admission";
import { controlPlane } from "../../../cluster/manifests/control-plane";
import { plainFiles } from "../../../cluster/manifests/control-plane/files";
import { placeholderCredentials } from "../../../cluster/manifests/control-plane/placeholder";
import type { ClusterOptions } from "../../../cluster/options";
import { fixedCluster } from "../components/in-cluster/fixture";

type Options = Pick<ClusterOptions, "podSecurity" | "eventRateLimit" | "externalIPs">;
const of = (options: Options = {}) => resolveAdmission(options);
const noLimits = { server: 0, namespace: 0 };

/** Configurations of plugins by name. */
function pluginsOf(admission: ReturnType<typeof of>): Record<string, Record<string, unknown>> {
    const { plugins = [] } = (admissionConfiguration(admission) ?? {}) as { plugins?: PluginShape[] };
    return Object.fromEntries(plugins.map(({ name, configuration }) => [name, configuration]));
}

interface PluginShape {
    readonly name: string;
    readonly configuration: Record<string, unknown>;
}

describe("kube-apiserver's admission plugins", () => {
    it("enforce baseline and warn about restricted, except in kube-system", () => {
        const { PodSecurity } = pluginsOf(of());
        assert.deepEqual(PodSecurity!.defaults, { enforce: "baseline", audit: "restricted", warn: "restricted" });
        assert.deepEqual(PodSecurity!.exemptions, { namespaces: ["kube-system"] });
    });

    it("limit events of all namespaces and of each", () => {
        const { EventRateLimit } = pluginsOf(of());
        assert.deepEqual(EventRateLimit!.limits, [
            { type: "Server", qps: 200, burst: 2000 },
            { type: "Namespace", qps: 50, burst: 500, cacheSize: 4096 },
        ]);
        assert.equal("EventRateLimit" in pluginsOf(of({ eventRateLimit: noLimits })), false);
        const { EventRateLimit: some } = pluginsOf(of({ eventRateLimit: { server: 0, namespace: 7 } }));
        assert.deepEqual(some!.limits, [{ type: "Namespace", qps: 7, burst: 70, cacheSize: 4096 }]);
    });

    it("are as Kubernetes has them if turned off", () => {
        const privileged = { enforce: "privileged", audit: "privileged", warn: "privileged" };
        assert.equal(admissionConfiguration(of({ podSecurity: privileged, eventRateLimit: noLimits })), undefined);
    });

    it("deny Services addresses of others, unless allowed", () => {
        assert.ok(addedPlugins(of()).includes("DenyServiceExternalIPs"));
        assert.deepEqual(addedPlugins(of({ externalIPs: "allowed" })), ["NodeRestriction", "EventRateLimit"]);
        assert.throws(() => of({ externalIPs: "some" }), /externalIPs must be one of denied, allowed \(got some\)/);
    });

    it("can be configured one by one", () => {
        const podSecurity = { enforce: "restricted", warn: "baseline", exemptNamespaces: ["logs", "kube-system"] };
        assert.deepEqual(pluginsOf(of({ podSecurity, eventRateLimit: noLimits })), {
            PodSecurity: {
                apiVersion: "pod-security.admission.config.k8s.io/v1",
                kind: "PodSecurityConfiguration",
                defaults: { enforce: "restricted", audit: "restricted", warn: "baseline" },
                exemptions: { namespaces: ["kube-system", "logs"] },
            },
        });
    });

    const refused: readonly (readonly [Options, string])[] = [
        [
            { podSecurity: { enforce: "strict" } },
            "podSecurity.enforce must be one of privileged, baseline, restricted (got strict)",
        ],
        [
            { podSecurity: { exemptNamespaces: ["Logs"] } },
            "podSecurity.exemptNamespaces[0] must be the name of a namespace",
        ],
        [{ eventRateLimit: { server: -1 } }, "eventRateLimit.server must be a whole number from 0 to 100000 (got -1)"],
        [{ eventRateLimit: { namespace: 0.5 } }, "eventRateLimit.namespace must be a whole number from 0 to 100000"],
    ];
    for (const [options, message] of refused) {
        it(`are refused as ${JSON.stringify(options)}`, () =>
            assert.throws(
                () => of(options),
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

    it("have no such configuration without plugins to configure", () => {
        const podSecurity = { enforce: "privileged", audit: "privileged", warn: "privileged" };
        const { files, flags } = pod({
            auditLog: false,
            podSecurity,
            eventRateLimit: noLimits,
            externalIPs: "allowed",
        });
        assert.deepEqual(files, []);
        assert.ok(flags.includes("--enable-admission-plugins=NodeRestriction"));
        assert.ok(!flags.includes(file));
    });

    it("have long tokens if asked", () => {
        const extended = { "service-account-extend-token-expiration": "true" };
        assert.ok(!pod({ components: { kubeApiserver: extended } }).flags.includes(tokens));
    });
});
