import assert from "node:assert/strict";
import { refusal } from "../../../../clients/aws/xml";

describe("an error of an AWS service", () => {
    const refused: [string, string][] = [
        ["<Error><Code>NoSuchKey</Code><Message>It&apos;s not there.</Message></Error>", "NoSuchKey: It's not there."],
        [
            "<Response><Errors><Error><Code>RequestLimitExceeded</Code><Message>Request limit exceeded.</Message></Error></Errors></Response>",
            "RequestLimitExceeded: Request limit exceeded.",
        ],
        ["<html>Bad Gateway</html>", "<html>Bad Gateway</html>"],
        ["", "empty response"],
    ];
    for (const [xml, words] of refused) {
        it(`says "${words}"`, () => assert.equal(refusal(xml), words));
    }
});
