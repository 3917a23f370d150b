import assert from "node:assert/strict";
import { oneOfSeveral } from "../../../../../agents/etcd/member/leader";
import type { Member } from "../../../../../clients/etcd/client";

const member = (name: string): Member => ({ ID: name, name });

describe("the member that must not lead", () => {
    it("is the one of that name, if there are others", () => {
        const [a, b] = [member("a"), member("b")];
        assert.deepEqual(oneOfSeveral("b")([a, b]), [b]);
    });

    it("is none if it is alone, since no other could", () => {
        assert.deepEqual(oneOfSeveral("a")([member("a")]), []);
    });
});
