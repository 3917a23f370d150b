import assert from "node:assert/strict";
import { certificatesOf, commonNameOf } from "../../../clients/certificates";
import { Authority } from "../agents/boot/receiver/authority";

describe("CAs in a bundle", () => {
    it("are distinguished by name, whatever else is in it", () => {
        const both = [new Authority("one"), new Authority("two")];
        const [one, two] = both as [Authority, Authority];
        assert.deepEqual(certificatesOf(`# a bundle\n${one.ca}${one.key}${two.ca}`).map(commonNameOf), ["one", "two"]);
        assert.deepEqual(certificatesOf(""), []);
        for (const authority of both) authority.remove();
    });
});
