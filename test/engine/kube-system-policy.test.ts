import assert from "node:assert/strict";
import { connectionOf } from "../../clients/kubernetes/kubeconfig";
import { kubeSystemPolicy, systemPriorityLabel } from "../../cluster/manifests/control-plane/kube-system-policy";
import { HttpClient } from "../../simulator/plugins/kubernetes/http";
import { ApiServer } from "./apiserver";
import { applyAll } from "./service-account";
import { until } from "./until";

const deniedClass = /denied request: priority classes system-\* are for pods in kube-system/;
const deniedUser = /denied request: runAsUser .* are the control plane's/;
const user = 60801;

describe("the restriction of certain features to pods in kube-system, with a real kube-apiserver", function () {
    this.timeout(120_000);
    let api: ApiServer;
    let administrator: HttpClient;
    let count = 0;

    const container = { name: "one", image: "one" };
    const create = async (namespace: string, spec: object, query = {}) => {
        const metadata = { name: `pod-${count++}` };
        const whole = { containers: [container], ...spec };
        const body = { apiVersion: "v1", kind: "Pod", metadata, spec: whole };
        await administrator.send({ method: "POST", path: `/api/v1/namespaces/${namespace}/pods`, query, body });
        return metadata.name;
    };
    const patch = (path: string, body: object) =>
        administrator.send({ method: "PATCH", path, contentType: "application/strategic-merge-patch+json", body });
    const namespace = (name: string, labels = {}) =>
        administrator.send({
            method: "POST",
            path: "/api/v1/namespaces",
            body: { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } },
        });

    before(async () => {
        api = await ApiServer.start();
        administrator = new HttpClient(connectionOf(api.kubeconfigOf("kubernetes-admin", "system:masters"), {}));
        // A pod that has been running since before the policy.
        await namespace("old").catch(() => {});
        await until("a service account", () =>
            create("old", {}, { dryRun: "All" }).then(
                () => true,
                () => false,
            ),
        );
        await create("old", { priorityClassName: "system-node-critical" });
        await applyAll(api, kubeSystemPolicy());
        await namespace("mine");
        await namespace("allowed", { [systemPriorityLabel]: "allowed" });
        await until("the policy to be in force", async () => {
            const problem = await create(
                "mine",
                { priorityClassName: "system-node-critical" },
                { dryRun: "All" },
            ).catch(String);
            return deniedClass.test(String(problem));
        });
    });
    after(async () => {
        administrator?.close();
        await api?.stop();
    });

    it("denies both priority classes outside kube-system, to administrators too", async () => {
        for (const priorityClassName of ["system-cluster-critical", "system-node-critical"]) {
            await assert.rejects(() => create("mine", { priorityClassName }), deniedClass);
            await create("kube-system", { priorityClassName });
        }
        await create("mine", {});
    });

    it("allows them in a namespace that is labelled for it", async () => {
        await create("allowed", { priorityClassName: "system-cluster-critical" });
    });

    it("denies the control plane's users wherever a pod can specify them", async () => {
        const securityContext = { runAsUser: user };
        const own = { ...container, name: "own", securityContext };
        for (const spec of [{ securityContext }, { containers: [own] }, { initContainers: [own] }]) {
            await assert.rejects(() => create("allowed", spec), deniedUser);
            await create("kube-system", spec);
        }
        await create("mine", { securityContext: { runAsUser: 65534 } });
        const name = await create("mine", {});
        const path = `/api/v1/namespaces/mine/pods/${name}/ephemeralcontainers`;
        await assert.rejects(() => patch(path, { spec: { ephemeralContainers: [own] } }), deniedUser);
        await patch(path, { spec: { ephemeralContainers: [{ ...container, name: "debug" }] } });
    });

    it("leaves existing pods alone, and allows changes to them", async () => {
        const path = "/api/v1/namespaces/old/pods/pod-";
        const { items } = (await administrator.send({ method: "GET", path: "/api/v1/namespaces/old/pods" })) as {
            items: { metadata: { name: string } }[];
        };
        const [{ metadata }] = items as [{ metadata: { name: string } }];
        await patch(`${path.slice(0, -"pod-".length)}${metadata.name}`, { metadata: { labels: { changed: "yes" } } });
        const added = { spec: { ephemeralContainers: [{ ...container, name: "debug" }] } };
        await patch(`${path.slice(0, -"pod-".length)}${metadata.name}/ephemeralcontainers`, added);
    });
});
