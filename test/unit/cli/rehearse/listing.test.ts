import assert from "node:assert/strict";
import { listAgain, listBefore } from "../../../../cli/rehearse/listing";
import { isKept } from "../../../../cli/rehearse/report";
import type { ApiClient } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";

type Objects = Readonly<Record<string, readonly { readonly metadata: { readonly name: string } }[]>>;

/** An API with these objects, by path of the list. */
function apiWith(groups: readonly string[], objects: Objects, broken: readonly string[] = []): ApiClient {
    const kindOf = (plural: string) =>
        plural === "apiservices" ? "APIService" : `${plural[0]!.toUpperCase()}${plural.slice(1, -1)}`;
    const call = async (path: string) => {
        const [plain = ""] = path.split("?");
        if (plain === "/apis")
            return { groups: groups.map((groupVersion) => ({ preferredVersion: { groupVersion }, versions: [] })) };
        if (broken.includes(plain)) throw new ApiError(500, "no kind is registered");
        if (plain in objects) return { items: objects[plain] };
        if (plain.endsWith("/apiservices")) return { items: [] };
        const names = Object.keys(objects).filter((each) => each.startsWith(`${plain}/`));
        if (names.length === 0 && plain !== "/api/v1") throw new ApiError(404, "not found");
        const resources = names.map((each) => {
            const name = each.slice(plain.length + 1);
            return { name, kind: kindOf(name), namespaced: false, verbs: ["list"] };
        });
        return { resources };
    };
    return { call } as unknown as ApiClient;
}

const object = (name: string, spec: object = {}) => ({ metadata: { name }, spec });
const widgets = "/apis/example.com/v1/widgets";
const secrets = "/api/v1/secrets";
const before = listBefore(
    apiWith(["example.com/v1"], { [secrets]: [object("a"), object("b")], [widgets]: [object("w", { size: 1 })] }),
);

describe("the objects of a rehearsal", () => {
    it("are kept if all are there again, whatever else is", async () => {
        const api = apiWith(["example.com/v1"], {
            [secrets]: [object("a"), object("b"), object("new")],
            [widgets]: [object("w", { size: 1 })],
        });
        const outcome = await listAgain(api, await before);
        assert.ok(isKept(outcome));
        assert.deepEqual([outcome.compared, outcome.changed], [3, []]);
    });

    it("are lost if one is missing, and changes are counted by field", async () => {
        const api = apiWith(["example.com/v1"], {
            [secrets]: [object("a")],
            [widgets]: [object("w", { size: 2 })],
        });
        const outcome = await listAgain(api, await before);
        assert.ok(!isKept(outcome));
        assert.deepEqual(outcome.missing, ["Secret b"]);
        assert.deepEqual(outcome.changed, [{ kind: "Widget of example.com/v1", path: "spec.size", objects: 1 }]);
    });

    it("are not in a version that is only named", async () => {
        const api = apiWith(["gone.example.com/v1"], { [secrets]: [object("a")] });
        const { objects, leftOut } = await listBefore(api);
        assert.equal(objects.length, 1);
        assert.deepEqual([...leftOut], [["gone.example.com/v1", "named among the groups, but not served"]]);
    });

    it("include pods, but no APIServices that kube-apiserver removes with a version that it no longer serves", async () => {
        const services = "/apis/apiregistration.k8s.io/v1/apiservices";
        const pods = "/api/v1/pods";
        const labels = { "kube-aggregator.kubernetes.io/automanaged": "onstart" };
        const own = { metadata: { name: "v1alpha2.scheduling.k8s.io", labels }, spec: {} };
        const groups = ["apiregistration.k8s.io/v1"];
        const listed = await listBefore(apiWith(groups, { [services]: [own], [pods]: [object("p")] }));
        const outcome = await listAgain(apiWith(groups, { [services]: [], [pods]: [] }), listed);
        assert.deepEqual(outcome.missing, ["Pod p"]);
    });

    it("are lost if their kind is no longer served, or cannot be read", async () => {
        const unserved = await listAgain(apiWith([], { [secrets]: [object("a"), object("b")] }), await before);
        assert.deepEqual(unserved.unserved, [{ kind: "Widget of example.com/v1", objects: 1 }]);
        assert.ok(!isKept(unserved));
        const api = apiWith(["example.com/v1"], { [secrets]: [object("a"), object("b")], [widgets]: [] }, [widgets]);
        const unreadable = await listAgain(api, await before);
        assert.match(unreadable.unreadable[0]?.error ?? "", /no kind is registered/);
        assert.ok(!isKept(unreadable));
    });
});
