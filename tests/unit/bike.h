// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"

#include <stddef.h>
#include <string.h>

/* One member of every kind. */
struct wheel {
	const char *name;
	int64_t size_mm;
};

struct brake {
	const char *maker;
	struct maybe_number weight_g;
};

struct bike {
	const char *id, *note, *frame;
	bool sold;
	int64_t gears;
	struct maybe_number year;
	struct names owners;
	struct brake *front;
	struct brake rear;
	struct field_array wheels;
	int colour;
};

static const char *const frames[] = {"steel", "aluminium", "carbon", NULL};
static const char *const colours[] = {"red", "green"};

static bool load_colour(struct arena *arena, const struct json *json, const cJSON *from,
			void *member, struct error *err)
{
	(void)arena;
	for (int i = 0; i < 2; i++) {
		if (cJSON_IsString(from) && strcmp(from->valuestring, colours[i]) == 0) {
			*(int *)member = i + 1;
			return true;
		}
	}
	return json_error(json, from, err, "is no colour");
}

static void write_colour(struct json_writer *writer, const char *key, const void *member)
{
	int colour = *(const int *)member;

	json_text(writer, key, colour ? colours[colour - 1] : NULL);
}

static const struct field wheel_rows[] = {
	{.key = "name",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct wheel, name),
	 .required = true,
	 .doc = "Its name."},
	{.key = "size_mm",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct wheel, size_mm),
	 .doc = "diameter in mm",
	 .minimum = 100,
	 .maximum = 900},
};
static const struct field_table wheel_table =
	FIELD_TABLE("wheel", struct wheel, wheel_rows, "A wheel.");

static const struct field brake_rows[] = {
	{.key = "maker",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct brake, maker),
	 .required = true,
	 .doc = "Who made it."},
	{.key = "weight_g",
	 .kind = FIELD_MAYBE,
	 .offset = FIELD(struct brake, weight_g),
	 .doc = "Weight in grams."},
};
static const struct field_table brake_table =
	FIELD_TABLE("brake", struct brake, brake_rows, "A brake.");

static const struct field bike_rows[] = {
	{.key = "id",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct bike, id),
	 .required = true,
	 .doc = "Stable id.",
	 .pattern = "^[a-z]+(-[a-z0-9]+)*$"},
	{.key = "note",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct bike, note),
	 .nullable = true,
	 .doc = "Any *text*."},
	{.key = "frame",
	 .kind = FIELD_ENUM,
	 .offset = FIELD(struct bike, frame),
	 .names = frames,
	 .doc = "Material."},
	{.key = "sold", .kind = FIELD_BOOL, .offset = FIELD(struct bike, sold), .doc = "Gone."},
	{.key = "gears",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct bike, gears),
	 .doc = "Gears."},
	{.key = "year",
	 .kind = FIELD_MAYBE,
	 .offset = FIELD(struct bike, year),
	 .doc = "Year made."},
	{.key = "owners",
	 .kind = FIELD_TEXTS,
	 .offset = FIELD(struct bike, owners),
	 .doc = "In order.",
	 .pattern = "^[A-Z]"},
	{.key = "front",
	 .kind = FIELD_OBJECT,
	 .offset = FIELD(struct bike, front),
	 .table = &brake_table,
	 .nullable = true,
	 .doc = "Front brake."},
	{.key = "rear",
	 .kind = FIELD_INSIDE,
	 .offset = FIELD(struct bike, rear),
	 .table = &brake_table,
	 .required = true,
	 .doc = "Rear brake."},
	{.key = "wheels",
	 .kind = FIELD_ARRAY,
	 .offset = FIELD(struct bike, wheels),
	 .table = &wheel_table,
	 .doc = "Both."},
	{.key = "colour",
	 .kind = FIELD_CUSTOM,
	 .offset = FIELD(struct bike, colour),
	 .load = load_colour,
	 .write = write_colour,
	 .schema = "{\"enum\": [\"red\", \"green\", null]}",
	 .define = "colour",
	 .doc = "Paint."},
};
static const struct field_table bike_table =
	FIELD_TABLE("bike", struct bike, bike_rows, "A bicycle.");
