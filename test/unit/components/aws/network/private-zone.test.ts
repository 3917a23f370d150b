import assert from "node:assert/strict";
import { requireFoundZone } from "../../../../../components/aws/network/private-zone";

const names = ["example.com", "c.example.com"];
const zone = { zoneId: "Z1", name: "example.com", privateZone: true };

describe("an existing private hosted zone", () => {
    it("is taken of the domain, or of the cluster's own names", () => {
        for (const name of [...names, "c.example.com."]) {
            assert.equal(requireFoundZone({ ...zone, name }, names), "Z1");
        }
    });

    it("is refused of other names, and when it is public", () => {
        assert.throws(() => requireFoundZone({ ...zone, name: "example.org" }, names), {
            message:
                "privateZone must be the id of a hosted zone for example.com or c.example.com, not for example.org, got Z1",
        });
        assert.throws(() => requireFoundZone({ ...zone, privateZone: false }, names), {
            message: "privateZone must be the id of a private hosted zone, got Z1",
        });
    });
});
