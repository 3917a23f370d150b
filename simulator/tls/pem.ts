/** A PEM block with lines of 64 characters and a newline at the end, as Go writes it. */
export function toPem(label: string, der: Uint8Array): string {
    const lines =
        Buffer.from(der)
            .toString("base64")
            .match(/.{1,64}/g) ?? [];
    return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

/** @param property named in the error */
export function fromPem(label: string, pem: string, property: string): Buffer {
    const block = new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----`).exec(pem);
    if (!block) throw new Error(`${property} must be a ${label} in PEM form`);
    return Buffer.from(block[1], "base64");
}
