import assert from "node:assert/strict";
import {
    objectsOf,
    paramsOf,
    tagsOf,
    textOf,
    textsOf,
} from "../../../../../../../simulator/clouds/aws/services/query/params";

describe("the parameters of a request of AWS", () => {
    it("are lists and objects, in the formats of both services", () => {
        const params = paramsOf(
            "Action=A&Filter.1.Name=vpc-id&Filter.1.Value.1=b&Filter.1.Value.2=a&Names.member.2=y&Names.member.1=x",
        );
        const [filter] = objectsOf(params, "Filter");
        assert.deepEqual([textOf(filter!, "Name"), textsOf(filter!, "Value")], ["vpc-id", ["b", "a"]]);
        assert.deepEqual(textsOf(params, "Names"), ["x", "y"]);
        assert.deepEqual(textsOf(params, "Others"), []);
    });

    it("stay in order from ten on", () => {
        const form = Array.from({ length: 11 }, (_, index) => `A.${11 - index}=${11 - index}`).join("&");
        assert.equal(textsOf(paramsOf(form), "A").join(), "1,2,3,4,5,6,7,8,9,10,11");
    });

    it("are not a list if it is empty", () =>
        assert.deepEqual(textsOf(paramsOf("SecurityGroups="), "SecurityGroups"), []));

    it("have tags", () =>
        assert.deepEqual(tagsOf(paramsOf("Tags.member.1.Key=a%2Fb&Tags.member.1.Value=c"), "Tags"), { "a/b": "c" }));

    it("are checked for missing ones", () =>
        assert.throws(() => textOf(paramsOf(""), "VpcId"), /^Error: MissingParameter: .*VpcId/));
});
