import assert from "node:assert/strict";
import { decide } from "../../../../agents/clean-up/decide";
import type { Objects } from "../../../../agents/clean-up/objects";

const driver = "ebs.csi.aws.com";
const scope = { hasLoadBalancers: true, drivers: [driver] };
const none: Objects = { services: [], claims: [], volumes: [], pods: [], nodes: [] };
const provisioned = { "pv.kubernetes.io/provisioned-by": driver };

const service = (name: string, type: string, ip?: string) => ({
    metadata: { namespace: "default", name },
    spec: { type },
    ...(ip && { status: { loadBalancer: { ingress: [{ ip }] } } }),
});
const claim = (name: string, volumeName?: string, annotations = {}) => ({
    metadata: { namespace: "default", name, annotations },
    spec: { volumeName },
});
const volume = (
    name: string,
    claimed: string,
    policy = "Delete",
    annotations: Record<string, string> = provisioned,
) => ({
    metadata: { name, annotations },
    spec: {
        persistentVolumeReclaimPolicy: policy,
        claimRef: { namespace: "default", name: claimed },
        csi: { driver, volumeHandle: `vol-${name}` },
    },
});
const pod = (name: string, claimName: string, spec = {}, status = {}) => ({
    metadata: { namespace: "default", name },
    spec: { nodeName: "n", volumes: [{ name: "data", persistentVolumeClaim: { claimName } }], ...spec },
    status,
});
const path = (plural: string, name: string) => `/api/v1/namespaces/default/${plural}/${name}`;

describe("what a cluster is rid of before it goes", () => {
    it("is load balancers of Services, and nothing of other Services", () => {
        const services = [service("web", "LoadBalancer", "192.0.2.7"), service("dns", "ClusterIP")];
        const { deletions, left } = decide(scope, { ...none, services });
        assert.deepEqual(deletions, [{ path: path("services", "web") }]);
        assert.deepEqual(left, ["load balancer 192.0.2.7 of Service default/web"]);
        assert.deepEqual(decide({ ...scope, hasLoadBalancers: false }, { ...none, services }).deletions, []);
    });

    it("is claims of volumes to delete, with the pods that use them, after the claims", () => {
        const objects = {
            ...none,
            claims: [claim("data", "a")],
            volumes: [volume("a", "data")],
            pods: [pod("db-0", "data")],
        };
        const { deletions, left } = decide(scope, objects);
        assert.deepEqual(
            deletions.map((each) => each.path),
            [path("persistentvolumeclaims", "data"), path("pods", "db-0")],
        );
        assert.deepEqual(left, ["volume vol-a of claim default/data, in use by pod default/db-0"]);
    });

    it("is volumes of pods alone, which claims of their names hold", () => {
        const own = pod("web", "x", { volumes: [{ name: "tmp", ephemeral: {} }] });
        const objects = { ...none, claims: [claim("web-tmp", "a")], volumes: [volume("a", "web-tmp")], pods: [own] };
        assert.equal(decide(scope, objects).deletions.at(-1)?.path, path("pods", "web"));
    });

    it("is no volume to be retained, of which it tells", () => {
        const objects = {
            ...none,
            claims: [claim("data", "a")],
            volumes: [volume("a", "data", "Retain")],
            pods: [pod("db-0", "data")],
        };
        assert.deepEqual(decide(scope, objects), { deletions: [], left: [], kept: ["vol-a of claim default/data"] });
    });

    for (const [what, annotations] of Object.entries({
        "a volume that somebody brought": {},
        "a volume of another driver": { "pv.kubernetes.io/provisioned-by": "nfs.csi.k8s.io" },
    }) as [string, Record<string, string>][]) {
        it(`is not ${what}`, () => {
            const objects = {
                ...none,
                claims: [claim("data", "a")],
                volumes: [volume("a", "data", "Delete", annotations)],
            };
            assert.deepEqual(decide(scope, objects), { deletions: [], left: [], kept: [] });
        });
    }

    it("is a claim whose volume may be on its way, and no other without a volume", () => {
        const asked = { "volume.kubernetes.io/storage-provisioner": driver };
        const claims = [claim("soon", undefined, asked), claim("other")];
        const { deletions, left } = decide(scope, { ...none, claims });
        assert.deepEqual(deletions, [{ path: path("persistentvolumeclaims", "soon") }]);
        assert.deepEqual(left, ["claim default/soon"]);
    });

    it("is still there when all of it is on its way, and says what is wrong with a volume", () => {
        const deletionTimestamp = "2026-11-22T00:00:00Z";
        const web = service("web", "LoadBalancer");
        const failed = { ...volume("a", "data"), status: { phase: "Failed", message: "not authorized" } };
        const services = [{ ...web, metadata: { ...web.metadata, deletionTimestamp } }];
        const { deletions, left } = decide(scope, { ...none, services, volumes: [failed] });
        assert.deepEqual(deletions, []);
        assert.deepEqual(left, [
            "load balancer of Service default/web",
            "volume vol-a of claim default/data: not authorized",
        ]);
    });

    it("does not wait for pods that are not on a node or have ended, and forces those whose node is lost", () => {
        const nodes = [{ metadata: { name: "lost" }, status: { conditions: [{ type: "Ready", status: "Unknown" }] } }];
        const pods = [
            pod("pending", "data", { nodeName: undefined }),
            pod("done", "data", {}, { phase: "Succeeded" }),
            pod("lost", "data", { nodeName: "lost" }),
        ];
        const { deletions } = decide(scope, {
            ...none,
            claims: [claim("data", "a")],
            volumes: [volume("a", "data")],
            pods,
            nodes,
        });
        assert.deepEqual(deletions.slice(1), [{ path: path("pods", "lost"), isForced: true }]);
    });
});
