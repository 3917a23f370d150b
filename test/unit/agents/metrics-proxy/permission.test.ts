import assert from "node:assert/strict";
import { Permission } from "../../../../agents/metrics-proxy/permission";
import type { Call, Caller } from "../../../../clients/kubernetes/api-client";

interface Review {
    readonly kind: string;
    readonly spec: { readonly token?: string; readonly user?: string; readonly [field: string]: unknown };
}

const prometheus = { username: "system:serviceaccount:monitoring:prometheus", uid: "1", groups: ["g"], extra: {} };

/** An API that knows two accounts: only one of them may scrape. */
class FakeApi implements Caller {
    readonly asked: (readonly [path: string, review: Review])[] = [];
    isDown = false;
    wait: Promise<unknown> = Promise.resolve();

    async call<T>(path: string, { body }: Call = {}): Promise<T> {
        const review = body as Review;
        this.asked.push([path, review]);
        await this.wait;
        if (this.isDown) throw new Error("connection refused");
        return { status: this.#answer(review) } as T;
    }

    #answer({ kind, spec: { token, user } }: Review): object {
        if (kind === "SubjectAccessReview") return { allowed: user === prometheus.username };
        if (token === "good") return { authenticated: true, user: prometheus };
        return token === "other" ? { authenticated: true, user: { username: "other" } } : { authenticated: false };
    }
}

describe("permission to scrape", () => {
    let api: FakeApi;
    let time: number;
    let permission: Permission;
    beforeEach(() => {
        api = new FakeApi();
        time = 0;
        permission = new Permission(api, () => time);
    });

    it("needs a valid token of an account that may get /metrics", async () => {
        const verdicts = { "Bearer good": 200, "bearer good": 200, "Bearer other": 403, "Bearer bad": 401 };
        for (const [header, verdict] of Object.entries(verdicts)) {
            assert.equal(await permission.check(header, "10.0.0.1"), verdict, header);
        }
        const [token, access] = api.asked;
        assert.equal(token![0], "/apis/authentication.k8s.io/v1/tokenreviews");
        assert.equal(access![0], "/apis/authorization.k8s.io/v1/subjectaccessreviews");
        assert.deepEqual(access![1].spec, {
            user: prometheus.username,
            uid: "1",
            groups: ["g"],
            extra: {},
            nonResourceAttributes: { path: "/metrics", verb: "get" },
        });
    });

    it("is refused without a token, without asking the API", async () => {
        for (const header of [undefined, "", "Basic Z29vZA==", "Bearer ", "Bearer a b"]) {
            assert.equal(await permission.check(header, "10.0.0.1"), 401, header);
        }
        assert.deepEqual(api.asked, []);
    });

    it("is valid for two minutes; a refusal is not kept", async () => {
        await permission.check("Bearer good", "10.0.0.1");
        await permission.check("Bearer other", "10.0.0.1");
        const asked = api.asked.length;
        time = 119_999;
        assert.equal(await permission.check("Bearer good", "10.0.0.1"), 200);
        assert.equal(api.asked.length, asked);
        await permission.check("Bearer other", "10.0.0.1");
        assert.equal(api.asked.length, asked + 2);
        time = 120_000;
        await permission.check("Bearer good", "10.0.0.1");
        assert.equal(api.asked.length, asked + 4);
    });

    it("is reviewed once for simultaneous scrapes, and for a few tokens of each source at a time", async () => {
        let answer = () => {};
        api.wait = new Promise<void>((resolve) => {
            answer = resolve;
        });
        const same = [permission.check("Bearer good", "10.0.0.1"), permission.check("Bearer good", "10.0.0.1")];
        const flood = Array.from({ length: 48 }, (_, index) => permission.check(`Bearer bad${index}`, "10.0.0.2"));
        const valid = permission.check("Bearer other", "10.0.0.3");
        answer();
        assert.deepEqual(await Promise.all(same), [200, 200]);
        const verdicts = await Promise.all(flood);
        assert.equal(verdicts.filter((verdict) => verdict === 401).length, 4);
        assert.equal(verdicts.filter((verdict) => verdict === 429).length, 44);
        assert.notEqual(await valid, 429);
        assert.equal(await permission.check("Bearer bad99", "10.0.0.1"), 401);
    });

    it("is unknown while the API does not answer", async () => {
        api.isDown = true;
        await assert.rejects(permission.check("Bearer good", "10.0.0.1"), /connection refused/);
        api.isDown = false;
        assert.equal(await permission.check("Bearer good", "10.0.0.1"), 200);
    });
});
