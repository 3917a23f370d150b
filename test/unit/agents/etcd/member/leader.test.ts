import assert from "node:assert/strict";
import { oneOfSeveral } from "../../../../../agents/etcd/member/leader";
import type { Member } from "../../../../../clients/etcd/client";

const member = (name: string): Member => ({ ID: name, name });

describe("the member that is not to lead", () => {
    it("is the one of that name, where there are others", () => {
        const [a, b] = [member("a"), member("b")];
        assert.deepEqual(oneOfSeveral("b")([a, b]), [b]);
    });

    it("is none where it is alone: nobody else could", () => {
        assert.deepEqual(oneOfSeveral("a")([member("a")]), []);
    });
});
