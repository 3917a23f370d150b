import assert from "node:assert/strict";
import type { Manifest } from "../../cluster/manifest";
import { coredns } from "../../cluster/manifests/addons/coredns";
import type { Container } from "../../cluster/manifests/pod";
import { contains, parseCidr6 } from "../../cluster/network/cidr";
import type { NetworkOptions } from "../../cluster/options";
import { resolveCluster } from "../../cluster/resolve";
import type { KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { componentPodOf } from "../unit/components/in-cluster/fixture";
import { ApiServer } from "./apiserver";
import { until } from "./until";

interface Service {
    readonly spec: { readonly clusterIPs: readonly string[]; readonly ipFamilies: readonly string[] };
}

interface Node {
    readonly spec: { readonly podCIDRs?: readonly string[] };
}

/** At the limits of the legal ranges. */
const networks: readonly NetworkOptions[] = [
    { podCidr6: "fd00:10::/48", serviceCidr6: "fd00:11::/108" },
    { podCidr6: "2001:db8::/62", serviceCidr6: "fd00:11::/120" },
];

for (const network of networks) {
    describe(`a real control plane with pods in ${network.podCidr6} and services in ${network.serviceCidr6}`, function () {
        this.timeout(120_000);
        const cluster = resolveCluster({ name: "c", network });
        let server: ApiServer;
        const get = async <T>(path: string) => (await server.http.send({ method: "GET", path })) as T;
        const apply = (object: Manifest) =>
            server.cluster.apply(object as KubernetesObject, { fieldManager: "test", force: false });

        /** A component's address flags. */
        function flagsOf(component: "kube-apiserver" | "kube-controller-manager"): string[] {
            const [{ command }] = componentPodOf(cluster, component).spec.containers as [Container];
            return (command as string[]).filter((flag) =>
                /^--(service-cluster-ip-range|cluster-cidr|allocate-node-cidrs)=/.test(flag),
            );
        }

        before(async () => {
            const flags = { apiserver: flagsOf("kube-apiserver"), controllers: flagsOf("kube-controller-manager") };
            server = await ApiServer.start({ controllers: ["node-ipam-controller"], flags });
        });
        after(() => server?.stop());

        it("gives cluster DNS an address of each family, and keeps an IPv4 address for the API's service", async () => {
            await apply(coredns(cluster).find(({ kind }) => kind === "Service")!);
            const dns = await get<Service>("/api/v1/namespaces/kube-system/services/kube-dns");
            assert.deepEqual(dns.spec.ipFamilies, ["IPv4", "IPv6"]);
            assert.match(dns.spec.clusterIPs.join(), /^10\.3\.0\.10,fd00:11::/);
            const api = () => get<Service>("/api/v1/namespaces/default/services/kubernetes").catch(() => undefined);
            await until("the API's service", async () => (await api()) !== undefined);
            assert.deepEqual((await api())!.spec.clusterIPs, ["10.3.0.1"]);
        });

        it("gives a node a block of each family", async () => {
            await apply({ apiVersion: "v1", kind: "Node", metadata: { name: "one" } });
            const node = () => get<Node>("/api/v1/nodes/one");
            await until("the node's blocks", async () => (await node()).spec.podCIDRs !== undefined);
            const [first, second, ...more] = (await node()).spec.podCIDRs!;
            assert.match(first!, /^10\.2\.\d+\.0\/24$/);
            assert.match(second!, /::\/64$/);
            assert(contains(cluster.network.podCidr6!, parseCidr6("podCIDRs[1]", second!)), second);
            assert.deepEqual(more, []);
        });
    });
}
