import assert from "node:assert/strict";
import { listed } from "../../../../../clients/aws/s3-bucket";

describe("a store's response", () => {
    it("is a page of keys, decoded", () => {
        const xml =
            '<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name>' +
            "<IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b==</NextContinuationToken>" +
            "<Contents><Key>p/one%20two%2B.db</Key><Size>1</Size></Contents>\n<Contents><Size>1</Size><Key>p/x</Key></Contents>" +
            "<CommonPrefixes><Prefix>q/</Prefix></CommonPrefixes></ListBucketResult>";
        assert.deepEqual(listed(xml), { keys: ["p/one two+.db", "p/x"], next: "a&b==" });
    });

    it("is the last page, or an empty one", () => {
        assert.deepEqual(listed("<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>"), { keys: [] });
    });
});
