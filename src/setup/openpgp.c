// SPDX-License-Identifier: BSD-2-Clause
#include "setup/openpgp.h"

#include "base/arena.h"
#include "base/base64.h"
#include "setup/sha1.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#define PACKETS_MAX_BYTES ((size_t)16 << 20)
/* Packet tags, section 5. */
#define TAG_SIGNATURE 2
#define TAG_PUBLIC_KEY 6
#define VERSION_4 4

struct packet {
	unsigned tag;
	struct view body;
};

static uint32_t big_endian(const char *at, size_t size)
{
	uint32_t number = 0;

	for (size_t i = 0; i < size; i++)
		number = number << 8 | (unsigned char)at[i];
	return number;
}

/* Length of a packet (sections 4.2.1 and 4.2.2); partial and indeterminate ones are for messages.
 */
static bool read_length(struct view *rest, bool old, unsigned first, size_t *length)
{
	static const unsigned char old_sizes[] = {1, 2, 4, 0};
	size_t octets = old ? old_sizes[first & 3] : 1;

	if (!octets || rest->size < octets)
		return false;
	*length = big_endian(rest->at, octets);
	if (!old && *length >= 192) {
		octets = *length < 224 ? 2 : 5;
		if ((*length >= 224 && *length != 255) || rest->size < octets)
			return false;
		*length = octets == 2 ? big_endian(rest->at, 2) - (192U << 8) + 192
				      : big_endian(rest->at + 1, 4);
	}
	rest->at += octets;
	rest->size -= octets;
	return *length <= rest->size;
}

static bool next_packet(struct view *rest, struct packet *packet)
{
	unsigned first;
	size_t length;
	bool old;

	if (!rest->size)
		return false;
	first = (unsigned char)rest->at[0];
	old = !(first & 0x40);
	rest->at++;
	rest->size--;
	if (!(first & 0x80) || !read_length(rest, old, first, &length))
		return false;
	packet->tag = old ? first >> 2 & 15 : first & 63;
	packet->body = (struct view){rest->at, length};
	rest->at += length;
	rest->size -= length;
	return true;
}

static bool are_packets(struct view bytes)
{
	struct packet packet;

	if (!bytes.size)
		return false;
	while (bytes.size) {
		if (!next_packet(&bytes, &packet))
			return false;
	}
	return true;
}

/* Section 6.1.1. */
static uint32_t crc24(struct view bytes)
{
	uint32_t crc = 0xb704ce;

	for (size_t i = 0; i < bytes.size; i++) {
		crc ^= (uint32_t)(unsigned char)bytes.at[i] << 16;
		for (int bit = 0; bit < 8; bit++) {
			crc <<= 1;
			if (crc & 0x1000000)
				crc ^= 0x1864cfb;
		}
	}
	return crc & 0xffffff;
}

static bool crc_is_right(struct arena *arena, struct view line, struct view bytes)
{
	struct view crc;

	line.at++;
	line.size--;
	return base64_decode(arena, line, &crc) && crc.size == 3 &&
	       big_endian(crc.at, 3) == crc24(bytes);
}

/* From behind a BEGIN line to the END line. */
static bool read_block(struct arena *arena, struct view *rest, struct buffer *out)
{
	struct buffer text = buffer_new(arena, PACKETS_MAX_BYTES);
	struct view line, bytes, crc = {0};
	bool header = true, ended = false;

	while (!ended && view_line(rest, &line)) {
		line = view_trim(line);
		ended = view_starts(line, "-----END PGP ");
		if (header && (!line.size || view_find(line, ": "))) {
			header = line.size > 0;
			continue;
		}
		header = false;
		if (line.size && line.at[0] == '=')
			crc = line;
		else if (!ended)
			buffer_add(&text, line.at, line.size);
	}
	if (!ended || text.full || !base64_decode(arena, buffer_view(&text), &bytes) ||
	    (crc.size && !crc_is_right(arena, crc, bytes)))
		return false;
	buffer_add(out, bytes.at, bytes.size);
	return !out->full;
}

bool openpgp_read(struct arena *arena, struct view bytes, struct view *packets)
{
	struct buffer found = buffer_new(arena, PACKETS_MAX_BYTES);
	struct view rest = bytes, line;

	if (bytes.size && (unsigned char)bytes.at[0] & 0x80) {
		*packets = bytes;
		return are_packets(bytes);
	}
	while (view_line(&rest, &line)) {
		line = view_trim(line);
		if ((view_is(line, "-----BEGIN PGP PUBLIC KEY BLOCK-----") ||
		     view_is(line, "-----BEGIN PGP SIGNATURE-----")) &&
		    !read_block(arena, &rest, &found))
			return false;
	}
	*packets = buffer_view(&found);
	return are_packets(*packets);
}

bool openpgp_is_signature(struct view packets)
{
	struct packet packet;

	if (!packets.size)
		return false;
	while (packets.size) {
		if (!next_packet(&packets, &packet) || packet.tag != TAG_SIGNATURE)
			return false;
	}
	return true;
}

/* Section 5.5.4.2. */
static bool has_fingerprint(struct view body, const char *fingerprint)
{
	unsigned char head[] = {0x99, (unsigned char)(body.size >> 8), (unsigned char)body.size};
	char hex[SHA1_HEX_SIZE];
	struct sha1 sha1;

	if (!body.size || body.at[0] != VERSION_4 || body.size > UINT16_MAX)
		return false;
	sha1_start(&sha1);
	sha1_add(&sha1, head, sizeof(head));
	sha1_add(&sha1, body.at, body.size);
	sha1_end(&sha1, hex);
	return strcasecmp(hex, fingerprint) == 0;
}

bool openpgp_find_key(struct view packets, const char *fingerprint, struct view *key)
{
	struct view rest = packets;
	struct packet packet;
	const char *begin = NULL, *at = rest.at;

	while (next_packet(&rest, &packet)) {
		if (packet.tag == TAG_PUBLIC_KEY && begin)
			break;
		if (packet.tag == TAG_PUBLIC_KEY && has_fingerprint(packet.body, fingerprint))
			begin = at;
		at = rest.at;
	}
	if (!begin)
		return false;
	*key = (struct view){begin, (size_t)(at - begin)};
	return true;
}
