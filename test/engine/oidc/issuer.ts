import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { Pair } from "../../unit/agents/boot/receiver/authority";
import { Browser } from "./browser";

/** What the issuer says about a person. */
export interface Person {
    readonly email: string;
    readonly email_verified: boolean;
    readonly groups: readonly string[];
}

export interface IssuerOptions {
    /** Of its server, for `localhost`. */
    readonly certificate: Pair;
    /** PEM of the CA that issued it. */
    readonly ca: string;
    /** By name. */
    readonly people: Readonly<Record<string, Person>>;
    /** Validity of ID tokens by client ID. Unit: seconds. */
    readonly clients: Readonly<Record<string, number>>;
}

type Handler = (request: unknown, response: unknown) => void;

const redirect = "http://localhost:8000/callback";

/** A real OpenID Connect issuer, oidc-provider, on the loopback address. */
export class OidcIssuer {
    #server?: Server;
    #handler?: Handler;
    #port = 0;

    constructor(private readonly options: IssuerOptions) {}

    get url(): string {
        return `https://localhost:${this.#port}`;
    }

    /** Starts to serve, on the same port as before. */
    async start(): Promise<void> {
        const { cert, key } = this.options.certificate;
        const server = createServer({ cert, key }, (request, response) => this.#handler?.(request, response));
        await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
        this.#server = server;
        this.#port = (server.address() as AddressInfo).port;
        if (!this.#handler) await this.rotateKeys();
    }

    async stop(): Promise<void> {
        const server = this.#server;
        if (!server) return;
        this.#server = undefined;
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
    }

    /** Replaces the key that signs tokens. */
    async rotateKeys(): Promise<void> {
        const { people, clients } = this.options;
        const { default: Provider } = await import("oidc-provider");
        const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
        const kid = randomBytes(8).toString("hex");
        const provider = new Provider(this.url, {
            jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" }] },
            clients: Object.keys(clients).map((id) => ({
                client_id: id,
                redirect_uris: [redirect],
                // As kubectl's plugins are: without a secret.
                token_endpoint_auth_method: "none",
            })),
            cookies: { keys: [randomBytes(16).toString("hex")] },
            claims: { openid: ["sub"], email: ["email", "email_verified"], groups: ["groups"] },
            conformIdTokenClaims: false,
            ttl: {
                ...Object.fromEntries(["AccessToken", "Grant", "Interaction", "Session"].map((what) => [what, 3600])),
                IdToken: (_: unknown, __: unknown, { clientId }: { clientId: string }) => clients[clientId],
            },
            findAccount: (_: unknown, name: string) =>
                people[name] && { accountId: name, claims: () => ({ sub: name, ...people[name] }) },
        });
        this.#handler = provider.callback();
    }

    /** An ID token, by the authorization code flow with PKCE that kubectl's plugins use. */
    async login(person: string, client: string): Promise<string> {
        const browser = new Browser(this.options.ca);
        const verifier = randomBytes(32).toString("base64url");
        const query = new URLSearchParams({
            client_id: client,
            response_type: "code",
            scope: "openid email groups",
            redirect_uri: redirect,
            code_challenge: createHash("sha256").update(verifier).digest("base64url"),
            code_challenge_method: "S256",
        });
        // The forms of its development pages: a name with any password, then consent.
        let at = await browser.open(`${this.url}/auth?${query}`, redirect);
        at = await browser.open(at, redirect, { prompt: "login", login: person, password: "any" });
        at = await browser.open(at, redirect, { prompt: "consent" });
        const { body } = await browser.send(`${this.url}/token`, {
            grant_type: "authorization_code",
            client_id: client,
            code: new URL(at).searchParams.get("code") ?? "",
            redirect_uri: redirect,
            code_verifier: verifier,
        });
        const { id_token: token } = JSON.parse(body) as { id_token?: string };
        if (token === undefined) throw new Error(`no ID token for ${person}: ${body}`);
        return token;
    }
}
