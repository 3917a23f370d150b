// Writes long strings, such as the user-data of a droplet, by Node's encoder: that of google-protobuf puts each byte into an
// array. Both write the same bytes.

const LONG = 512;

function withLongStrings(protobuf) {
    const { prototype } = protobuf.BinaryWriter;
    if (prototype.isQuick) return protobuf;
    const { writeString, writeBytes } = prototype;
    prototype.isQuick = true;
    prototype.writeString = function (field, text) {
        if (text?.length > LONG) writeBytes.call(this, field, Buffer.from(text, "utf8"));
        else writeString.call(this, field, text);
    };
    return protobuf;
}

module.exports = { withLongStrings };
