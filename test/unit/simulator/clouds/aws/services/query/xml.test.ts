import assert from "node:assert/strict";
import { element } from "../../../../../../../simulator/clouds/aws/services/query/xml";

describe("a response of AWS", () => {
    it("contains lists, objects and texts, and omits undefined values", () => {
        const said = { list: [{ a: 1 }, { a: 2 }], empty: [], yes: true, none: undefined, text: "<&>" };
        assert.equal(
            element("R", said, "item"),
            "<R><list><item><a>1</a></item><item><a>2</a></item></list><empty></empty><yes>true</yes><text>&lt;&amp;&gt;</text></R>",
        );
        assert.equal(element("R", ["x"], "member"), "<R><member>x</member></R>");
    });
});
