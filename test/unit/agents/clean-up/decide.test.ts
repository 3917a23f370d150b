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
    spec: { nodeName: "n", containers: [], volumes: [{ name: "data", persistentVolumeClaim: { claimName } }], ...spec },
    status,
});
const path = (plural: string, name: string) => `/api/v1/namespaces/default/${plural}/${name}`;

describe("the cloud resources to delete before a cluster is destroyed", () => {
    it("include load balancers of Services, and nothing of other Services", () => {
        const services = [service("web", "LoadBalancer", "192.0.2.7"), service("dns", "ClusterIP")];
        const { deletions, left } = decide(scope, { ...none, services });
        assert.deepEqual(deletions, [{ path: path("services", "web") }]);
        assert.deepEqual(left, ["load balancer 192.0.2.7 of Service default/web"]);
        assert.deepEqual(decide({ ...scope, hasLoadBalancers: false }, { ...none, services }).deletions, []);
    });

    it("include claims of volumes to delete, and then the pods that use them", () => {
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

    it("include volumes without a claim, if a claim of that name holds them", () => {
        const own = pod("web", "x", { volumes: [{ name: "tmp", ephemeral: {} }] });
        const objects = { ...none, claims: [claim("web-tmp", "a")], volumes: [volume("a", "web-tmp")], pods: [own] };
        assert.equal(decide(scope, objects).deletions.at(-1)?.path, path("pods", "web"));
    });

    it("exclude volumes to be retained, which are listed", () => {
        const objects = {
            ...none,
            claims: [claim("data", "a")],
            volumes: [volume("a", "data", "Retain")],
            pods: [pod("db-0", "data")],
        };
        assert.deepEqual(decide(scope, objects), { deletions: [], left: [], kept: ["vol-a of claim default/data"] });
    });

    for (const [what, annotations] of Object.entries({
        "a volume that a user provided": {},
        "a volume of another driver": { "pv.kubernetes.io/provisioned-by": "nfs.csi.k8s.io" },
    }) as [string, Record<string, string>][]) {
        it(`exclude ${what}`, () => {
            const objects = {
                ...none,
                claims: [claim("data", "a")],
                volumes: [volume("a", "data", "Delete", annotations)],
            };
            assert.deepEqual(decide(scope, objects), { deletions: [], left: [], kept: [] });
        });
    }

    it("include a claim whose volume may be being provisioned, and no other without a volume", () => {
        const asked = { "volume.kubernetes.io/storage-provisioner": driver };
        const claims = [claim("soon", undefined, asked), claim("other")];
        const { deletions, left } = decide(scope, { ...none, claims });
        assert.deepEqual(deletions, [{ path: path("persistentvolumeclaims", "soon") }]);
        assert.deepEqual(left, ["claim default/soon"]);
    });

    it("are left while they are being deleted, with a volume's error", () => {
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

    it("exclude pods without a node or that have ended, and force those whose node is lost", () => {
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
