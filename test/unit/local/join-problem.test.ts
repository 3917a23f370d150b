import assert from "node:assert/strict";
import { certificatesOf } from "../../../clients/certificates";
import { describeJoining } from "../../../local/join-problem";
import { certificates } from "../agents/boot/bootstrap/certificates";

describe("why a machine does not join", () => {
    const pem = certificates().admin.cert;
    const end = Date.parse(certificatesOf(pem)[0]!.validTo);
    const renews = /bootstrap token, which is valid for a day: tradewind recover --from api --name blue renews/;

    it("is an ended certificate, or none, with the command that renews its token", () => {
        const ended = describeJoining("blue", pem, end + 1);
        assert.ok(ended.includes(`a client certificate that ended at ${new Date(end).toISOString()}`), ended);
        assert.match(ended, renews);
        assert.match(describeJoining("blue", ""), /^its kubelet has no client certificate, /);
        assert.match(describeJoining("blue", ""), renews);
        assert.match(describeJoining("local", ""), /tradewind recover --from api renews/);
    });

    it("is not its certificate while that is valid", () => {
        assert.equal(describeJoining("blue", pem, end - 1), "");
    });
});
