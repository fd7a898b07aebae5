"""Parts of the parsers of mail (`eml`, `mbox`, `msg`), in the order in which they are needed.

`mailbox_file` cuts a mailbox into messages, `header_fields` reads their headers (`moments`: their dates) and
`mime_parts` their bodies and attachments (`tnef_file`: those of winmail.dat, `signed_data`: those of smime.p7m).
`outlook_message` makes mail of what Outlook saved (`rich_text_body`: bodies that are Rich Text). `body_page` brings the
page of a body into lines, `quotations` parts its own words from quoted ones by their `attributions`. `attachments`
reads what is attached with the parser of its format, appointments as `calendar_text` (`calendar_times`: their hours),
upon which the parser `ics` stands. `message_reader` makes a `MailMessage` of all that, and `mail_writer` puts messages
into threads and writes the document.
"""
