import assert from "node:assert/strict";
import { CheckRequest, CheckResponse, DiffRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import {
    readCheckRequest,
    readDiffRequest,
    writeCheckResponse,
} from "../../../../../simulator/plugins/protocol/preview-calls";
import { secret } from "../../../../../simulator/plugins/protocol/values";

const everything = { text: "é\n", number: -1.5, whole: 3, flags: [true, false, null], object: { empty: {}, none: [] } };
const struct = (value: object) => Struct.fromJavaScript(value as never);

describe("the calls of a preview", () => {
    it("are decoded like google-protobuf's encoding", () => {
        const check = new CheckRequest()
            .setUrn("urn")
            .setOlds(struct({ a: 1 }))
            .setNews(struct(everything));
        check.setName("unread").setRandomseed("unread");
        assert.deepEqual(readCheckRequest(check.serializeBinary()), { urn: "urn", olds: { a: 1 }, news: everything });

        const diff = new DiffRequest().setId("id").setUrn("urn").setNews(struct(everything)).setName("unread");
        diff.setOldInputs(struct({ a: 1 }))
            .setOlds(struct({ b: 2 }))
            .setIgnorechangesList(["unread"]);
        assert.deepEqual(readDiffRequest(diff.serializeBinary()), {
            ...{ id: "id", urn: "urn", olds: { b: 2 }, news: everything, oldInputs: { a: 1 } },
        });
    });

    it("are empty if nothing was sent", () => {
        assert.deepEqual(readCheckRequest(new CheckRequest().serializeBinary()), { urn: "", olds: {}, news: {} });
    });

    it("are encoded for google-protobuf to decode", () => {
        const failures = [
            { property: "a", reason: "wrong" },
            { property: "", reason: "all of it" },
        ];
        const response = CheckResponse.deserializeBinary(writeCheckResponse({ inputs: everything, failures }));
        assert.deepEqual(response.getInputs()?.toJavaScript(), everything);
        const read = response.getFailuresList().map((each) => [each.getProperty(), each.getReason()]);
        assert.deepEqual(read, [
            ["a", "wrong"],
            ["", "all of it"],
        ]);
        assert.deepEqual(CheckResponse.deserializeBinary(writeCheckResponse({ inputs: {} })).getFailuresList(), []);
    });

    it("recognize a secret", () => {
        const marked = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: { a: 1 } };
        const request = new CheckRequest().setNews(struct({ key: marked }));
        assert.deepEqual(readCheckRequest(request.serializeBinary()).news, { key: secret({ a: 1 }) });
        const response = CheckResponse.deserializeBinary(writeCheckResponse({ inputs: { key: secret({ a: 1 }) } }));
        assert.deepEqual(response.getInputs()?.toJavaScript(), { key: marked });
    });
});
