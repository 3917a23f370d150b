import assert from "node:assert/strict";
import { apiError, describeError, ifFound, isTransient } from "../../../../clients/kubernetes/api-error";

describe("an error in a message", () => {
    it("is a single line, however many the API sent", () => {
        const text = "[+]ping ok\n[-]shutdown failed: reason withheld\nreadyz check failed\n";
        assert.equal(
            describeError(apiError(500, text)),
            "500: [+]ping ok; [-]shutdown failed: reason withheld; readyz check failed",
        );
    });

    it("contains the message of the Status object", () => {
        assert.equal(describeError(apiError(409, '{"message":"modified","details":{}}')), "409: modified");
    });

    it("says that a redirect comes from something else", () => {
        for (const text of ["", "<a href=/login>Found</a>"]) {
            assert.equal(describeError(apiError(302, text)), "302: a redirect, which no Kubernetes API sends");
        }
    });
});

describe("a call for an object that may not exist", () => {
    it("returns undefined if it does not exist, and fails for any other reason", async () => {
        assert.equal(await ifFound(Promise.resolve("it")), "it");
        assert.equal(await ifFound(Promise.reject(apiError(404, "gone"))), undefined);
        await assert.rejects(ifFound(Promise.reject(apiError(403, "no"))), /403: no/);
    });
});

describe("an error after which the same call may succeed", () => {
    const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });
    const named = (name: string) => Object.assign(new Error(name), { name });
    const status = (code: number, reason?: string, kind?: string) =>
        apiError(code, JSON.stringify({ message: "no", reason, details: { kind } }));
    const errors: readonly (readonly [string, unknown, boolean])[] = [
        ["a refused connection", coded("ECONNREFUSED", { syscall: "connect" }), true],
        ["a reset connection", coded("ECONNRESET"), true],
        ["a closed pipe", coded("EPIPE"), true],
        ["a connection that timed out", coded("ETIMEDOUT"), true],
        ["an unreachable host", coded("EHOSTUNREACH"), true],
        ["an unreachable network", coded("ENETUNREACH"), true],
        ["a resolver that fails", coded("EAI_AGAIN"), true],
        ["a name that does not exist yet", coded("ENOTFOUND"), true],
        ["a response that breaks off", coded("ERR_STREAM_PREMATURE_CLOSE"), true],
        ["a TLS handshake that breaks off", coded("EPROTO"), true],
        ["a certificate of a clock that is ahead", coded("CERT_NOT_YET_VALID"), true],
        ["a Unix socket that does not exist yet", coded("ENOENT", { syscall: "connect" }), true],
        ["no response in time", named("TimeoutError"), true],
        ["an aborted call", Object.assign(named("AbortError"), { code: "ABORT_ERR" }), true],
        ["408", status(408), true],
        ["429", status(429, "TooManyRequests"), true],
        ["500", status(500, "InternalError"), true],
        ["503", status(503, "ServiceUnavailable"), true],
        ["504", status(504, "Timeout"), true],
        ["a conflicting write", status(409, "Conflict"), true],
        ["a namespace that does not exist yet", status(404, "NotFound", "namespaces"), true],
        ["an object that exists", status(409, "AlreadyExists"), false],
        ["an object that does not exist", status(404, "NotFound", "pods"), false],
        ["400", status(400, "BadRequest"), false],
        ["401", status(401, "Unauthorized"), false],
        ["403", status(403, "Forbidden"), false],
        ["410", status(410, "Expired"), false],
        ["413", status(413, "RequestEntityTooLarge"), false],
        ["422", status(422, "Invalid"), false],
        ["an argument of the wrong type", coded("ERR_INVALID_ARG_TYPE"), false],
        ["an invalid URL", coded("ERR_INVALID_URL"), false],
        ["a header with a line break", coded("ERR_INVALID_CHAR"), false],
        ["a module that does not exist", coded("MODULE_NOT_FOUND"), false],
        ["a file that does not exist", coded("ENOENT", { syscall: "open" }), false],
        ["a file without permission", coded("EACCES", { syscall: "open" }), false],
        ["a full disk", coded("ENOSPC", { syscall: "write" }), false],
        ["a disk that fails", coded("EIO", { syscall: "read" }), false],
        ["a read-only file system", coded("EROFS", { syscall: "open" }), false],
        ["a directory in place of a file", coded("EISDIR", { syscall: "read" }), false],
        ["too many open files", coded("EMFILE", { syscall: "open" }), false],
        ["a certificate with another name", coded("ERR_TLS_CERT_ALTNAME_INVALID"), false],
        ["an expired certificate", coded("CERT_HAS_EXPIRED"), false],
        ["a certificate of another CA", coded("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), false],
        ["a self-signed certificate", coded("DEPTH_ZERO_SELF_SIGNED_CERT"), false],
        ["a certificate without its key", coded("ERR_OSSL_X509_KEY_VALUES_MISMATCH"), false],
        ["a file without PEM", coded("ERR_OSSL_PEM_NO_START_LINE"), false],
        ["an exit code", Object.assign(new Error("exit"), { code: 1 }), false],
        ["a TypeError", new TypeError("undefined is not a function"), false],
        ["a SyntaxError", new SyntaxError("Unexpected token"), false],
        ["a text", "no", false],
    ];
    for (const [what, error, expected] of errors) {
        it(`${expected ? "includes" : "excludes"} ${what}`, () => assert.equal(isTransient(error), expected));
    }
});
