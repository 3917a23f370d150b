import assert from "node:assert/strict";
import { resolveCluster } from "../../../../cluster/resolve";
import { alphaApis, type StoredObjects, storedAlphaProblems } from "../../../../cluster/upgrades/stored-alpha";

const alpha = "scheduling.k8s.io/v1alpha2";
const stored = (change: Partial<StoredObjects> = {}): StoredObjects => ({
    api: alpha,
    storedAs: alpha,
    resource: "workloads",
    isNamespaced: true,
    names: ["default/a", "default/b"],
    count: 2,
    ...change,
});
const desired = (kubernetesVersion: string, runtimeConfig?: string) =>
    resolveCluster({
        name: "c",
        kubernetesVersion,
        ...(runtimeConfig && { components: { kubeApiserver: { "runtime-config": runtimeConfig } } }),
    });

describe("alpha APIs that a kube-apiserver serves", () => {
    for (const [value, expected] of [
        ["", []],
        ["batch/v1=false,resource.k8s.io/v1beta1=true", []],
        [alpha, [alpha]],
        [`${alpha}=1, ${alpha}/workloads=true`, [alpha]],
        [`${alpha}=false`, []],
    ] as const) {
        it(`are ${expected.length === 0 ? "none" : expected.join(", ")} with runtime-config=${value || "…nothing"}`, () => {
            assert.deepEqual(alphaApis(["--v=2", `--runtime-config=${value}`], "1.36.3"), expected);
        });
    }

    it("are all of the version if all are on, except for those that are off", () => {
        for (const all of ["api/alpha", "api/all"]) {
            const found = alphaApis([`--runtime-config=${all}=true,storage.k8s.io/v1alpha1=false`], "1.36.3");
            assert.ok(found.includes(alpha));
            assert.ok(!found.includes("storage.k8s.io/v1alpha1"));
            assert.ok(found.every((each) => each.includes("alpha")));
        }
    });
});

describe("objects stored in an alpha version", () => {
    const messages = (objects: StoredObjects, cluster: ReturnType<typeof desired>, isBack = false) =>
        storedAlphaProblems([objects], cluster, isBack).map(({ check, message }) => `${check}: ${message}`);

    it("are refused if the desired version cannot read it, up and back, with the command that deletes them", () => {
        const command = "delete them first: kubectl delete workloads.v1alpha2.scheduling.k8s.io --all --all-namespaces";
        for (const version of ["1.37.2", "1.35.4"]) {
            const what = `Kubernetes ${version} cannot read 2 stored workloads of ${alpha} (default/a, default/b)`;
            assert.deepEqual(messages(stored(), desired(version)), [`removed-apis: ${what}: ${command}`]);
        }
    });

    it("are refused if the configuration no longer turns it on", () => {
        assert.match(messages(stored({ count: 9 }), desired("1.36.2"))[0]!, /does not serve 9 .*\/b, …\): delete/);
        assert.deepEqual(messages(stored(), desired("1.36.2", alpha)), []);
    });

    it("are read by a newer version if they are stored as beta, but not by one that does not know the alpha API", () => {
        const graduated = stored({ api: "scheduling.k8s.io/v1alpha3", storedAs: "scheduling.k8s.io/v1beta1" });
        assert.deepEqual(messages(graduated, desired("1.37.2")), []);
        assert.match(messages(graduated, desired("1.36.3"), true)[0]!, /cannot read 2 stored workloads/);
    });

    it("are deleted without namespaces if they have none", () => {
        const own = stored({ resource: "classes", isNamespaced: false });
        assert.match(
            messages(own, desired("1.37.2"))[0]!,
            /kubectl delete classes\.v1alpha2\.scheduling\.k8s\.io --all$/,
        );
    });
});
