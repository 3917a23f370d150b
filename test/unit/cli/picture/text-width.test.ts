import assert from "node:assert/strict";
import fc from "fast-check";
import { fitted, widthOf, wrapped } from "../../../../cli/picture/text-width";

describe("the width of a text", () => {
    it("is the sum of its characters, and larger in bold", () => {
        assert.equal(widthOf("il", 10), 5.56);
        assert.equal(widthOf("", 10), 0);
        assert.ok(widthOf("etcd", 12, true) > widthOf("etcd", 12));
    });

    it("is known for every printable ASCII character", () => {
        for (let code = 32; code < 127; code++) {
            const character = String.fromCharCode(code);
            assert.ok(character === "@" || widthOf(character, 1) < 1, character);
        }
    });
});

describe("a text that has to fit", () => {
    it("is truncated with an ellipsis", () => {
        assert.equal(fitted("kube-apiserver", 200, 12), "kube-apiserver");
        assert.equal(fitted("kube-controller-manager", 80, 12), "kube-contr…");
        assert.equal(fitted("not Ready", 36, 12), "not…");
    });

    it("is never wider than the available space if an ellipsis fits", () => {
        fc.assert(
            fc.property(fc.string({ unit: "binary" }), fc.double({ min: 12, max: 400, noNaN: true }), (text, room) => {
                assert.ok(widthOf(fitted(text, room, 12), 12) <= room);
                for (const line of wrapped(text, room, 12)) assert.ok(widthOf(line, 12) <= room);
            }),
        );
    });

    it("keeps every word when wrapped", () => {
        const text = "etcd has lost quorum: 1 of 3 voters answer, 2 are needed. All writes fail.";
        const lines = wrapped(text, 200, 12);
        assert.ok(lines.length > 2);
        assert.equal(lines.join(" "), text);
    });
});
