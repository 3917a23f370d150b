import assert from "node:assert/strict";
import { ApiClient, readKubeconfig } from "../../clients/kubernetes/api-client";
import { addedPlugins, admissionConfiguration, admissionFile } from "../../cluster/admission";
import type { ClusterOptions } from "../../cluster/options";
import { resolveCluster } from "../../cluster/resolve";
import { podSecurityProblems } from "../../components/upgrade/pod-security";
import { ApiServer } from "./apiserver";

const enforce = "pod-security.kubernetes.io/enforce";
const pod = (name: string, spec: object = {}) => ({
    metadata: { name },
    spec: { containers: [{ name: "one", image: "registry.example/one:v1" }], ...spec },
});
const host = { hostNetwork: true };

describe("secure admission, with a real kube-apiserver", function () {
    this.timeout(180_000);
    let server: ApiServer;
    let api: ApiClient;
    const of = (options: Partial<ClusterOptions> = {}) => resolveCluster({ name: "c", ...options });
    const problems = async (options?: Partial<ClusterOptions>) =>
        (await podSecurityProblems(api, of(options))).map(({ message }) => message.split("\n").slice(0, -2));
    const warnings: string[] = [];
    const create = (namespace: string, body: object, dryRun = "?dryRun=All") =>
        api.call(`/api/v1/namespaces/${namespace}/pods${dryRun}`, {
            method: "POST",
            body,
            onWarning: (text) => warnings.push(text),
        });
    const namespace = (name: string, labels = {}) =>
        api.call("/api/v1/namespaces", { method: "POST", body: { metadata: { name, labels } } });
    const account = (name: string) =>
        api.call(`/api/v1/namespaces/${name}/serviceaccounts`, {
            method: "POST",
            body: { metadata: { name: "default" } },
        });

    /** Restarts kube-apiserver with the cluster's configuration of admission. */
    async function configure(options: Partial<ClusterOptions> = {}): Promise<void> {
        const text = JSON.stringify(admissionConfiguration(of(options).admission));
        api?.reconnect();
        await server.replaceApi({ "admission-control-config-file": { name: "admission.json", text } }, [
            `--enable-admission-plugins=${addedPlugins(of(options).admission).join()}`,
        ]);
        warnings.length = 0;
    }

    before(async () => {
        server = await ApiServer.start();
        const { server: url, credentials } = readKubeconfig(server.kubeconfig);
        api = new ApiClient(url, () => credentials);
        for (const [name, labels] of [
            ["shop", {}],
            ["metrics", {}],
            ["logs", { [enforce]: "privileged" }],
        ] as const) {
            await namespace(name, labels);
        }
        for (const name of ["shop", "metrics", "logs", "kube-system"]) await account(name);
        await create("shop", pod("till"), "");
        for (const name of ["metrics", "logs", "kube-system"]) await create(name, pod(`${name}-a`, host), "");
    });
    after(async () => {
        api?.reconnect();
        await server?.stop();
    });

    it("is preceded by a list of the pods that it would refuse, by namespace", async () => {
        assert.deepEqual(await problems(), [
            [
                "podSecurity.enforce: baseline would refuse pods of the namespace metrics once they are recreated:",
                "    metrics-a: host namespaces",
            ],
        ]);
        assert.deepEqual(await problems({ podSecurity: { exemptNamespaces: ["metrics"] } }), []);
        assert.deepEqual(await problems({ podSecurity: { enforce: "privileged" } }), []);
        const strict = (await problems({ podSecurity: { enforce: "restricted" } })).map(([first]) => first);
        assert.equal(strict.length, 2, strict.join("\n"));
    });

    it("is not preceded by it where kube-apiserver already has the configuration, as in a repeated up", async () => {
        const { admission } = of();
        const data = { [admissionFile]: JSON.stringify(admissionConfiguration(admission)) };
        const at = "/api/v1/namespaces/kube-system/configmaps";
        await api.call(at, { method: "POST", body: { metadata: { name: "kube-apiserver-files" }, data } });
        assert.deepEqual(await problems(), []);
        assert.equal((await problems({ podSecurity: { enforce: "restricted" } })).length, 2);
        await api.call(`${at}/kube-apiserver-files`, { method: "DELETE" });
    });

    it("changed nothing when it was checked", async () => {
        const { metadata } = await api.call<{ metadata: { labels?: object } }>("/api/v1/namespaces/metrics");
        assert.ok(!(enforce in (metadata.labels ?? {})));
    });

    it("refuses pods that violate baseline, except in kube-system and labelled namespaces", async () => {
        await configure();
        await assert.rejects(
            create("metrics", pod("b", host)),
            /violates PodSecurity "baseline:latest": host namespaces/,
        );
        for (const name of ["kube-system", "logs"]) await create(name, pod("b", host));
        await create("metrics", pod("b"));
    });

    it("warns about pods that violate restricted", async () => {
        await create("shop", pod("b"));
        assert.match(
            warnings.at(-1)!,
            /^would violate PodSecurity "restricted:latest": allowPrivilegeEscalation != false/,
        );
    });

    it("exempts other namespaces if asked, and can be turned off", async () => {
        await configure({ podSecurity: { exemptNamespaces: ["metrics"] } });
        await create("metrics", pod("b", host));
        await assert.rejects(create("shop", pod("b", host)), /violates PodSecurity/);
        await configure({ podSecurity: { enforce: "privileged", warn: "privileged" } });
        await create("shop", pod("b", host));
        assert.deepEqual(warnings, []);
    });

    it("gives a user who may edit a namespace no address of others by a Service, unless asked", async () => {
        const { server: url, credentials } = readKubeconfig(server.kubeconfigOf("tenant", "tenants"));
        const tenant = new ApiClient(url, () => credentials);
        await api.call("/apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings", {
            method: "POST",
            body: {
                metadata: { name: "tenant" },
                // The rules of edit, which a controller that does not run here would put there.
                roleRef: {
                    apiGroup: "rbac.authorization.k8s.io",
                    kind: "ClusterRole",
                    name: "system:aggregate-to-edit",
                },
                subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "tenant" }],
            },
        });
        const ports = [{ name: "dns", protocol: "UDP", port: 53 }];
        const service = (name: string, spec: object) =>
            tenant.call("/api/v1/namespaces/shop/services", {
                method: "POST",
                body: { metadata: { name }, spec: { selector: { app: name }, ports, ...spec } },
            });
        const add = (name: string, path: string, body: object) =>
            tenant.call(`/api/v1/namespaces/shop/services/${name}${path}`, {
                method: "PATCH",
                contentType: "application/merge-patch+json",
                body,
            });
        const taken = { externalIPs: ["10.3.0.10"] };
        try {
            await service("own", { type: "LoadBalancer", loadBalancerIP: "10.3.0.10" });
            await assert.rejects(service("dns", taken), /Use of external IPs is denied by admission control/);
            await assert.rejects(add("own", "", { spec: taken }), /Use of external IPs is denied by admission control/);
            const status = { loadBalancer: { ingress: [{ ip: "10.3.0.10" }] } };
            await assert.rejects(add("own", "/status", { status }), /cannot patch resource "services\/status"/);
            const slice = {
                metadata: { name: "own-1", labels: { "kubernetes.io/service-name": "own" } },
                addressType: "IPv4",
                ports: [{ port: 2380 }],
                endpoints: [{ addresses: ["10.0.0.11"] }],
            };
            const slices = "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices";
            await assert.rejects(tenant.call(slices, { method: "POST", body: slice }), /cannot create resource/);
            await configure({ externalIPs: "allowed" });
            tenant.reconnect();
            await service("dns", taken);
        } finally {
            tenant.reconnect();
        }
    });

    it("accepts events up to the burst of a namespace and refuses further ones, but not those of others", async () => {
        await configure({ eventRateLimit: { server: 0, namespace: 1 } });
        const event = (name: string, into: string) =>
            api.call(`/api/v1/namespaces/${into}/events`, {
                method: "POST",
                body: {
                    metadata: { name },
                    involvedObject: { kind: "Pod", name: "till", namespace: into },
                    reason: "Test",
                    message: "test",
                    type: "Normal",
                },
            });
        const sent = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => event(`e${index}`, "shop")));
        const refused = sent.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []));
        // One more per second is accepted while they are being sent.
        assert.ok(refused.length >= 10 && refused.length <= 20, `${refused.length} refused`);
        for (const reason of refused) assert.match(reason, /limit reached on type Namespace/);
        await event("other", "metrics");
    });
});
