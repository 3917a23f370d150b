import assert from "node:assert/strict";
import { changesOf, pluralOf, readStackObjects } from "../../../../../cli/status/collect/stack-objects";
import { ApiError } from "../../../../../clients/kubernetes/api-error";
import { recordedObjects, stackObjects } from "../../../../../cluster/manifests/stack-objects";

const service = { apiVersion: "v1", kind: "Service", metadata: { name: "kube-dns", namespace: "kube-system" } };
const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "tradewind:x" } };
const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "j", namespace: "kube-system" } };

const record = stackObjects([service, role, job, service]).data as Record<string, string>;

describe("the stack's record of its objects", () => {
    it("names each object once, without Jobs, and can be read again", () => {
        assert.deepEqual(recordedObjects(record), [
            { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", name: "tradewind:x" },
            { apiVersion: "v1", kind: "Service", namespace: "kube-system", name: "kube-dns" },
        ]);
        assert.equal(recordedObjects(undefined), undefined);
    });

    it("forms plurals like Kubernetes", () => {
        const kinds = ["ConfigMap", "StorageClass", "ValidatingAdmissionPolicy", "APIService"];
        assert.deepEqual(kinds.map(pluralOf), [
            "configmaps",
            "storageclasses",
            "validatingadmissionpolicies",
            "apiservices",
        ]);
    });
});

/** An API with these paths; others have no items, or are not found. */
function fakeApi(answers: Readonly<Record<string, unknown>>) {
    const call = async (path: string) => {
        const [plain = ""] = path.split("?");
        if (answers[plain] !== undefined) return answers[plain];
        if (path.includes("?limit")) return { items: [] };
        throw new ApiError(404, "not found");
    };
    return { call: call as never };
}

const items = (...names: string[]) => ({ items: names.map((name) => ({ metadata: { name } })) });

const builtIn = {
    "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings": items(
        "cluster-admin",
        "system:discovery",
        "system:public-info-viewer",
        "system:kube-controller-manager",
        "system:kube-scheduler",
    ),
    "/apis/rbac.authorization.k8s.io/v1/clusterroles": items(
        "cluster-admin",
        "system:kube-controller-manager",
        "system:kube-scheduler",
        "system:node",
        "tradewind:x",
    ),
    "/apis/scheduling.k8s.io/v1/priorityclasses": items("system-cluster-critical", "system-node-critical"),
};
const recorded = { "/api/v1/namespaces/kube-system/configmaps/stack-objects": { data: record } };

describe("the objects of the stack", () => {
    it("are missing if neither their label nor their name finds them", async () => {
        const { missing, missingBuiltIns, isRecorded } = await readStackObjects(
            fakeApi({ ...builtIn, ...recorded, "/apis/scheduling.k8s.io/v1/priorityclasses": items() }),
        );
        assert.equal(isRecorded, true);
        assert.deepEqual(
            missing.map(({ name }) => name),
            ["kube-dns"],
        );
        assert.deepEqual(
            missingBuiltIns.map(({ name }) => name),
            ["system-cluster-critical", "system-node-critical"],
        );
    });

    it("exist even if their label was removed", async () => {
        const own = { "/api/v1/namespaces/kube-system/services/kube-dns": service };
        const { missing } = await readStackObjects(fakeApi({ ...builtIn, ...recorded, ...own }));
        assert.deepEqual(missing, []);
    });

    it("are unknown without a record, but Kubernetes' own are not", async () => {
        const { isRecorded, missing, missingBuiltIns } = await readStackObjects(fakeApi(builtIn));
        assert.deepEqual([isRecorded, missing, missingBuiltIns], [false, [], []]);
    });
});

describe("a change of an object of the stack", () => {
    const id = { apiVersion: "v1", kind: "Service", name: "kube-dns" };
    const own = {
        manager: "tradewind-bootstrap",
        fieldsV1: { "f:spec": { "f:ports": { 'k:{"port":53}': { ".": {}, "f:name": {} } } } },
    };

    it("has the fields that another manager has set", () => {
        const edit = { manager: "kubectl-edit", fieldsV1: { "f:spec": { "f:selector": {} } } };
        assert.deepEqual(changesOf(id, [own, edit]), [{ ...id, manager: "kubectl-edit", fields: ["spec.selector"] }]);
        const port = {
            manager: "kubectl-edit",
            fieldsV1: { "f:spec": { "f:ports": { 'k:{"port":53}': { "f:port": {} } } } },
        };
        assert.deepEqual(changesOf(id, [own, port])[0]!.fields, ["spec.ports.53.port"]);
    });

    it("is the removal of permissions or of those who have them", () => {
        const binding = { ...id, kind: "ClusterRoleBinding" };
        const left = (fields: object) => [{ manager: "tradewind-bootstrap", fieldsV1: { "f:roleRef": {}, ...fields } }];
        assert.deepEqual(changesOf(binding, left({})), [{ ...binding, manager: "someone", fields: ["subjects"] }]);
        assert.deepEqual(changesOf(binding, left({ "f:subjects": {} })), []);
    });

    it("is the scale of a Deployment", () => {
        const scale = { manager: "kubectl", subresource: "scale", fieldsV1: { "f:spec": { "f:replicas": {} } } };
        assert.deepEqual(changesOf({ ...id, kind: "Deployment" }, [own, scale])[0]!.fields, ["spec.replicas"]);
    });

    it("is neither what a program of the cluster sets, nor a status, a label, a restart or the stack's own value", () => {
        const fields = { "f:spec": { "f:x": {} } };
        const restart = {
            "f:spec": {
                "f:template": { "f:metadata": { "f:annotations": { "f:kubectl.kubernetes.io/restartedAt": {} } } },
            },
        };
        assert.deepEqual(
            changesOf(id, [
                own,
                { manager: "kube-controller-manager", fieldsV1: fields },
                { manager: "tradewind-status", fieldsV1: fields },
                { manager: "x", subresource: "status", fieldsV1: { "f:status": { "f:y": {} } } },
                { manager: "kubectl-label", fieldsV1: { "f:metadata": { "f:labels": { "f:z": {} } } } },
                { manager: "kubectl-rollout", fieldsV1: restart },
                { manager: "kubectl", fieldsV1: own.fieldsV1 },
            ]),
            [],
        );
    });
});
